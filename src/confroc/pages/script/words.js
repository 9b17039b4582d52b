// Numbers as people read them, in the same words as confroc.pages.words.

function rate(value, digits = 3) {
  if (value === null) return "none";
  const text = value.toFixed(digits);
  const least = 10 ** -digits;
  if (value > 0 && Number(text) === 0) return `< ${least.toFixed(digits)}`;
  if (value < 1 && Number(text) === 1) return `> ${(1 - least).toFixed(digits)}`;
  return text;
}

const rates = (values) => values.map((value) => rate(value));

function withRange(estimate, lower, upper, form = rates) {
  if (estimate === null) return "none";
  const [middle, low, high] = form([estimate, lower, upper]);
  return `${middle} (${low} to ${high})`;
}

function differences(values, digits = 3) {
  const texts = values.map((value) => Math.abs(value).toFixed(digits));
  if (digits < 6 && values.some((value, i) => value && !Number(texts[i]))) return differences(values, digits + 1);
  return texts.map((text, i) => (Number(text) ? (values[i] > 0 ? "+" : "−") + text : text));
}

function significant(value, digits) {
  return String(Number(value.toPrecision(digits)));
}

function places(values) {
  const most = Math.max(...values.map(Math.abs));
  return most ? Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(Number(most.toPrecision(3)))))) : 0;
}

function amounts(values, digits = places(values.slice(0, 3))) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const text = (value) => value.toLocaleString("en-US", options);
  return values.map((value) => (value && value < 0.5 * 10 ** -digits ? `< ${text(10 ** -digits)}` : text(value)));
}

const count = (n) => n.toLocaleString("en-US");
const percent = (share, digits = 3) => `${significant(100 * share, digits)} %`;
// The table writes the threshold that no score reaches as null, since JSON has no infinity.
const thresholdText = (value) => (value === null ? "above every score" : String(value));

// Models whose names are too long for a legend, and what Python calls them there: all differ.
const shortNames = new Map(Object.entries(JSON.parse(document.querySelector("main").dataset.shortNames)));

/** A name as text for the plotting library, which reads a few tags, and formulas between dollar signs. */
function plain(name) {
  return (shortNames.get(name) ?? name).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\$/g, "&#36;");
}

