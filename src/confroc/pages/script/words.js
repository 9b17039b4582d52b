// Numbers as text, as in confroc.pages.words.

function rate(value, digits = 3) {
  if (value === null) return "–";
  if (value > 0 && value < 0.01) digits = Math.min(6, Math.max(digits, 1 - Math.floor(Math.log10(value))));
  const text = value.toFixed(digits);
  const least = 10 ** -digits;
  if (value > 0 && Number(text) === 0) return `< ${least.toFixed(digits)}`;
  if (value < 1 && Number(text) === 1) return `> ${(1 - least).toFixed(digits)}`;
  return text;
}

const between = (lower, upper) => (lower === null ? "" : `${rate(lower)} to ${rate(upper)}`);

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
const percent = (share, digits = 3) => `${significant(100 * share, digits)}%`;
// A threshold above every score is null, since JSON has no infinity.
const thresholdText = (model, i) => {
  const value = model.points.shown[i];
  if (value === null) return `${model.reversed ? "below" : "above"} every score`;
  return `${model.reversed ? "≤" : "≥"} ${String(value).replace(/^-/, "−")}`;
};
