// Connects controls, tables and pictures. Without this script the page shows all its results.

const byId = (id) => document.getElementById(id);
const numbers = JSON.parse(byId("confroc-numbers").textContent);
const models = numbers.thresholds;
const recommended = numbers.recommended;

// --- folded sections, which are printed too ---------------------------------------------------------

const folds = [...document.querySelectorAll("details")];
let opened = [];
addEventListener("beforeprint", () => {
  opened = folds.filter((fold) => !fold.open);
  opened.forEach((fold) => { fold.open = true; });
});
addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));

function unfold() {
  const target = byId(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details");
  if (fold) { fold.open = true; fold.scrollIntoView(); }
}
addEventListener("hashchange", unfold);
document.querySelectorAll("nav a").forEach((link) => link.addEventListener("click", () => setTimeout(unfold)));
unfold();

// --- copies -------------------------------------------------------------------------------------------

async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Some browsers deny a file the access to the clipboard.
    const area = document.createElement("textarea");
    area.value = text;
    button.after(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.textContent = "Copied";
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}

/** Texts of the rows of a table, without the notes below it and the tags of names. */
const rowsOf = (table) => [...table.querySelectorAll("tr:not(.note)")].map((row) => [...row.cells].map((cell) => {
  const ends = cell.querySelector(".ends.range");
  const texts = [...cell.childNodes].filter((node) => node !== ends && node.className !== "tag").map((node) => node.textContent.trim());
  return texts.filter(Boolean).join(" ").replace(/\s+/g, " ") + (ends ? ` (${ends.textContent.trim()})` : "");
}));
const csv = (rows) => rows.map((row) => row.map((text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text)).join(",")).join("\n");
const SPECIAL = { "−": "$-$", "≥": "$\\geq$", "≤": "$\\leq$", "·": "$\\cdot$", "–": "--", "<": "$<$", ">": "$>$", "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const tex = (text) => text.replace(/[&%$#_{}]/g, "\\$&").replace(/[−≥≤·–<>~^]/g, (sign) => SPECIAL[sign]);
const latex = (rows) => [
  `\\begin{tabular}{l${"r".repeat(rows[0].length - 1)}}`, "\\hline",
  ...rows.map((row, i) => `${row.map(tex).join(" & ")} \\\\${i ? "" : " \\hline"}`), "\\hline", "\\end{tabular}",
].join("\n");

document.querySelectorAll(".holds > table").forEach((table) => {
  const bar = document.createElement("p");
  bar.className = "copies";
  for (const [name, form] of Object.entries({ CSV: csv, LaTeX: latex })) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Copy ${name}`;
    button.addEventListener("click", () => copy(button, form(rowsOf(table))));
    bar.append(button);
  }
  table.after(bar);
});
document.querySelectorAll("button[data-copies]").forEach((button) =>
  button.addEventListener("click", () => copy(button, byId(button.dataset.copies).textContent)));

// --- the chosen threshold --------------------------------------------------------------------------

const ownShare = (model) => model.n_pos / (model.n_pos + model.n_neg);
const pictures = models.length ? [...document.querySelectorAll("figure[data-x]")].map((figure) => new Picture(figure)) : [];
const hidden = new Set();
const inputs = { miss: byId("cost-miss"), alarm: byId("cost-alarm"), prior: byId("cost-prior") };
const state = { model: 0, point: 0, typed: false, costs: null };
const current = () => models[state.model];
/** The costs of the report. */
const givenCosts = () => {
  const unit = recommended.unit_costs;
  return { miss: unit.miss, alarm: unit.false_alarm, prior: unit.prior ?? ownShare(models[0]) };
};

/** The last point of a model at or above a threshold. */
const pointAt = (k, threshold) => (threshold === null ? 0 : models[k].points.threshold.findLastIndex((at) => at === null || at >= threshold));

/** The point of the summary: the recommended one, or the last at or below a false positive rate. */
const usualPoint = (k) => (recommended.fpr === null ? bestPoint(k)
  : models[k].points.fp.findLastIndex((fp) => fp / models[k].n_neg <= recommended.fpr + 1e-12));

/** The recommended point of a model, or the cheapest at costs that the reader typed. */
const bestPoint = (k) => (state.typed ? cheapestPoint(models[k], state.costs) : pointAt(k, recommended.models[k].threshold));

const costName = () => (state.typed || recommended.unit_costs.asked ? "Cost per case" : "Error rate");

function showPoint() {
  const [model, i, p] = [current(), state.point, current().points];
  const slider = byId("threshold");
  slider.max = p.tpr.length - 1;
  slider.value = i;
  slider.setAttribute("aria-valuetext", `${thresholdText(model, i)}: TPR ${rate(p.tpr[i])}, FPR ${rate(p.fpr[i])}`);
  const called = p.tp[i] + p.fp[i];
  const prior = state.costs.prior;
  const [ppv, low, high] = precisionAt(model, i, prior);
  const [cost] = amounts([expectedCost(model, i, state.costs)]);
  const cells = {
    "threshold-value": thresholdText(model, i), "confusion-called": count(called),
    "confusion-share": percent(called / (model.n_pos + model.n_neg)),
    tp: count(p.tp[i]), fn: count(model.n_pos - p.tp[i]), fp: count(p.fp[i]), tn: count(model.n_neg - p.fp[i]),
    expected: rate(ppv), "expected-ends": between(low, high), cost,
    "point-prior": percent(prior, 4), "cost-name": costName(),
    cheapest: thresholdText(model, bestPoint(state.model)),
  };
  for (const name of ["tpr", "fpr", "precision", "npv"]) {
    cells[name] = rate(p[name][i]);
    cells[`${name}-ends`] = between(p[`${name}_lower`][i], p[`${name}_upper`][i]);
  }
  for (const [id, value] of Object.entries(cells)) byId(id).textContent = value;
  byId("use-cheapest").hidden = i === bestPoint(state.model);
  byId("expected").closest("div").hidden = Math.abs(prior - ownShare(model)) < 1e-6;
  pictures.forEach((picture) => picture.show(p, i));
  drawCosts();
}

/** Cost per case of every operating point against the predicted-positive rate, at the costs entered. */
function drawCosts() {
  const share = (model) => model.points.tp.map((tp, i) => (tp + model.points.fp[i]) / (model.n_pos + model.n_neg));
  const cost = (model) => model.points.tp.map((_, i) => expectedCost(model, i, state.costs));
  const lines = models.map((model, row) => ({ x: share(model), y: cost(model), row, strong: row === state.model }));
  const own = lines[state.model];
  const best = bestPoint(state.model);
  const marks = [["circle", state.point], ["star", best]].map(([sign, i]) => ({ sign, x: own.x[i], y: own.y[i], row: state.model }));
  const trivial = { x: [0, 1], y: Array(2).fill(trivialCost(state.costs)), row: null };
  const shown = lines.filter((line) => !hidden.has(line.row));
  drawChart(byId("chart-cost"), [trivial, ...shown], marks, ["Predicted positive", `${costName()} in the sample`]);
}

function choose(model, point = state.typed ? bestPoint(model) : usualPoint(model)) {
  const select = byId("model");
  if (select) select.value = model;
  Object.assign(state, { model, point });
  // With more than two models only the chosen one has its band.
  if (models.length > 2) {
    document.querySelectorAll("figure[data-x] .band").forEach((band) => band.classList.toggle("unseen", !band.matches(`.band-${model}`)));
  }
  showPoint();
}

function readCosts() {
  const typed = { miss: inputs.miss.valueAsNumber, alarm: inputs.alarm.valueAsNumber, prior: inputs.prior.valueAsNumber / 100 };
  const fine = { miss: typed.miss > 0, alarm: typed.alarm > 0, prior: typed.prior > 0 && typed.prior < 1 };
  for (const name of Object.keys(inputs)) {
    inputs[name].setAttribute("aria-invalid", String(!fine[name]));
    byId(`${inputs[name].id}-error`).hidden = fine[name];
  }
  // The field has three digits of the prevalence.
  if (inputs.prior.value === initial.prior) typed.prior = givenCosts().prior;
  // With an invalid entry the page returns to the costs of the report.
  const usable = Object.values(fine).every(Boolean);
  state.typed = usable && Object.keys(inputs).some((name) => inputs[name].value !== initial[name]);
  state.costs = usable ? typed : givenCosts();
  showPoint();
}

// --- pointing -----------------------------------------------------------------------------------------

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;

function point(picture, event) {
  const near = picture.nearest(event, models, hidden);
  tip.hidden = near === null;
  if (near === null) return;
  const [model, i] = [models[near.row], near.i];
  const p = model.points;
  const line = (name, label) => `${label} ${rate(p[name][i])} (${between(p[`${name}_lower`][i], p[`${name}_upper`][i])})`;
  tip.textContent = [
    ...(models.length > 1 ? [model.model] : []), `Threshold ${thresholdText(model, i)}`, line("tpr", "TPR"), line("fpr", "FPR"), line("precision", "Precision"),
  ].join("\n");
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${event.clientY + 14}px`;
}

// --- start -----------------------------------------------------------------------------------------

document.querySelectorAll(".live").forEach((part) => { part.hidden = models.length === 0; });
let initial = {};
if (models.length) {
  document.body.append(tip);
  state.costs = givenCosts();
  inputs.miss.value = state.costs.miss;
  inputs.alarm.value = state.costs.alarm;
  inputs.prior.value = significant(100 * state.costs.prior, 3);
  initial = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));
  Object.values(inputs).forEach((input) => input.addEventListener("input", readCosts));
  byId("model")?.addEventListener("change", (event) => choose(Number(event.target.value)));
  byId("threshold").addEventListener("input", (event) => choose(state.model, Number(event.target.value)));
  byId("use-cheapest").addEventListener("click", () => choose(state.model, bestPoint(state.model)));
  document.querySelectorAll(".models input").forEach((box) => box.addEventListener("change", () => {
    hidden[box.checked ? "delete" : "add"](Number(box.value));
    document.querySelectorAll(`.curve-${box.value}`).forEach((curve) => curve.classList.toggle("unseen", !box.checked));
    drawCosts();
  }));
  for (const picture of pictures) {
    picture.svg.addEventListener("pointermove", (event) => point(picture, event));
    picture.svg.addEventListener("pointerleave", () => { tip.hidden = true; });
    picture.svg.addEventListener("click", (event) => {
      const near = picture.nearest(event, models, hidden);
      if (near) choose(near.row, near.i);
    });
  }
  new ResizeObserver(drawCosts).observe(byId("chart-cost").parentElement);
  // The model of the summary, at the threshold there.
  const leader = models.findIndex((model) => model.model === recommended.leader);
  choose(leader);
}
document.documentElement.dataset.ready = "yes";

// For the tests, which compare this arithmetic with Python's.
window.confroc = { numbers, cheapestPoint, expectedCost, trivialCost, precisionAt, rate, amounts, significant };
