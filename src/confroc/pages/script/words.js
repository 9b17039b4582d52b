// Numbers as people read them, in the same words as confroc.pages.words.

function rate(value, digits = 3) {
  if (value === null) return "none";
  const text = value.toFixed(digits);
  const least = 10 ** -digits;
  if (value > 0 && Number(text) === 0) return `< ${least.toFixed(digits)}`;
  if (value < 1 && Number(text) === 1) return `> ${(1 - least).toFixed(digits)}`;
  return text;
}

function withRange(estimate, lower, upper, form = rate) {
  return estimate === null ? "none" : `${form(estimate)} (${form(lower)} to ${form(upper)})`;
}

function signed(value, digits = 3) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return value && digits < 6 ? signed(value, digits + 1) : (0).toFixed(3);
  return (value > 0 ? "+" : "−") + text;
}

function significant(value, digits) {
  return String(Number(value.toPrecision(digits)));
}

const money = (value) => significant(value, 4);
const count = (n) => n.toLocaleString("en-US");
const percent = (share, digits = 3) => `${significant(100 * share, digits)} %`;
// The table writes the threshold that no score reaches as null, since JSON has no infinity.
const thresholdText = (value) => (value === null ? "above every score" : significant(value, 6));

/** A name as text for the plotting library, which reads a few tags, and formulas between dollar signs. */
function plain(name) {
  const short = name.length > 30 ? `${name.slice(0, 29)}…` : name;
  return short.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\$/g, "&#36;");
}

