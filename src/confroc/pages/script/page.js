// Wires controls, tables and charts together. Without this script the page shows its static form.

const numbers = JSON.parse(document.getElementById("confroc-numbers").textContent);
const byId = (id) => document.getElementById(id);

const first = numbers.costs ? numbers.costs.unit_costs : { miss: 1, false_alarm: 1, prior: null };
const ownShare = (model) => model.n_pos / (model.n_pos + model.n_neg);
const state = {
  model: 0,
  point: 0,
  pair: 0,
  // Of many models: whose curves are left out, and which one has its band.
  hidden: new Set(),
  banded: -1,
  outlook: 0,
  // The share of positives is known when it was given or typed; else these cases' own, and as uncertain as they are.
  costs: {
    miss: first.miss, alarm: first.false_alarm,
    prior: first.prior ?? ownShare(numbers.thresholds[0]), own: first.prior === null,
  },
};
const current = () => numbers.thresholds[state.model];

// --- what is folded away, and printed all the same ----------------------------------------------------

const folds = [...document.querySelectorAll("details.fold")];
folds.forEach((fold) => { fold.open = false; });
let opened = [];
addEventListener("beforeprint", () => {
  opened = folds.filter((fold) => !fold.open);
  opened.forEach((fold) => { fold.open = true; });
});
addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));

function unfold() {
  const target = byId(decodeURIComponent(location.hash.slice(1)));
  const fold = target && target.closest("details.fold");
  if (fold) { fold.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", unfold);
unfold();

document.querySelectorAll("button[data-copies]").forEach((button) => button.addEventListener("click", async () => {
  const source = byId(button.dataset.copies);
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
  } catch {
    // Not every browser lets a file reach the clipboard.
    getSelection().selectAllChildren(source);
    button.textContent = "Selected";
  }
}));

// --- charts ---------------------------------------------------------------------------------------

const builders = {
  curves: curvesChart, explore: exploreChart, cost: costChart, weight: weightChart, difference: differenceChart,
  outlook: (theme, all, now) => hourglassChart(theme, all, now, now.outlook),
};
(numbers.outlook ? numbers.outlook.models : []).forEach((_, k) => {
  builders[`outlook-${k}`] = (theme, all, now) => hourglassChart(theme, all, now, k);
});
const charts = Object.keys(builders).filter((name) => byId(`chart-${name}`));

function draw(names) {
  const theme = readTheme();
  for (const name of names.filter((n) => charts.includes(n))) {
    const { data, layout } = builders[name](theme, numbers, state);
    Plotly.react(byId(`chart-${name}`), data, layout, { displayModeBar: false, responsive: true });
  }
}

// Several events between two frames, as from a slider that is dragged, draw once.
let waiting = new Set();
function drawSoon(...names) {
  if (!waiting.size) requestAnimationFrame(() => { const due = [...waiting]; waiting = new Set(); draw(due); });
  names.forEach((name) => waiting.add(name));
}

// --- the threshold looked at -----------------------------------------------------------------------

function showPoint() {
  const model = current();
  const p = model.points;
  const i = state.point;
  const text = thresholdText(p.threshold[i]);
  const slider = byId("threshold");
  slider.max = p.tpr.length - 1;
  slider.value = i;
  slider.setAttribute("aria-valuetext", `${text}: true positive rate ${rate(p.tpr[i])}, false positive rate ${rate(p.fpr[i])}`);
  const called = p.tp[i] + p.fp[i];
  const prior = state.costs.prior;
  const cells = {
    "threshold-value": text,
    "confusion-model": model.model,
    "confusion-called": count(called),
    "confusion-share": percent(called / (model.n_pos + model.n_neg)),
    tp: count(p.tp[i]), fn: count(model.n_pos - p.tp[i]), fp: count(p.fp[i]), tn: count(model.n_neg - p.fp[i]),
    "precision-expected": withRange(...precisionAt(model, i, prior)),
    "point-prior": percent(prior, 4),
    "point-cost": withRange(...expectedCost(model, i, state.costs), money),
  };
  for (const name of ["tpr", "fpr", "precision", "npv"]) {
    const known = p[name][i] !== null;
    cells[name] = rate(p[name][i]);
    cells[`${name}-ends`] = known ? `${rate(p[`${name}_lower`][i])} to ${rate(p[`${name}_upper`][i])}` : "";
  }
  for (const [id, value] of Object.entries(cells)) byId(id).textContent = value;
  byId("expected").hidden = Math.abs(prior - ownShare(model)) < 1e-6;
}

function showAdvice() {
  const best = numbers.thresholds.map((model) => {
    const point = cheapestPoint(model, state.costs);
    return { model, point, cost: expectedCost(model, point, state.costs) };
  });
  const mine = best[state.model];
  const where = mine.model.points.threshold[mine.point];
  const trivial = trivialCost(state.costs);
  const unsure = mine.cost[2] >= trivial * (1 - 1e-12);
  byId("advice-threshold").textContent = where === null ? "call nobody positive" : `call positive from ${thresholdText(where)}`;
  byId("advice-model").textContent = mine.model.model;
  byId("advice-cost").textContent = withRange(...mine.cost, money);
  byId("advice-trivial").textContent = money(trivial)
    + (unsure ? ", so these cases do not show that the scores save anything at these costs" : "");
  const rows = byId("advice-models");
  if (rows) {
    rows.replaceChildren(...best.map(({ model, point, cost }) => {
      const row = document.createElement("tr");
      const cells = [model.model, thresholdText(model.points.threshold[point]), money(cost[0]), `${money(cost[1])} to ${money(cost[2])}`];
      cells.forEach((text, j) => {
        const cell = document.createElement(j ? "td" : "th");
        if (!j) cell.scope = "row";
        cell.textContent = text;
        row.append(cell);
      });
      return row;
    }));
  }
}

function choosePoint(point) {
  state.point = point;
  showPoint();
  drawSoon("explore", "cost");
}

function chooseModel(model, point = cheapestPoint(numbers.thresholds[model], state.costs)) {
  const radio = byId(`model-${model}`);
  if (radio) radio.checked = true;
  state.model = model;
  showAdvice();
  choosePoint(point);
  if (isMany(numbers)) drawSoon("weight");
}

byId("threshold").addEventListener("input", (event) => choosePoint(Number(event.target.value)));
document.querySelectorAll("input[name=model]").forEach((radio) =>
  radio.addEventListener("change", () => chooseModel(Number(radio.value))));
byId("use-cheapest").addEventListener("click", () => choosePoint(cheapestPoint(current(), state.costs)));

// --- costs -----------------------------------------------------------------------------------------

const inputs = { miss: byId("cost-miss"), alarm: byId("cost-alarm"), prior: byId("cost-prior") };

// What the field holds when nobody has said what the share in use will be.
const ownText = first.prior === null ? significant(100 * ownShare(numbers.thresholds[0]), 6) : "";

function readCosts() {
  const typed = { miss: inputs.miss.valueAsNumber, alarm: inputs.alarm.valueAsNumber, prior: inputs.prior.valueAsNumber / 100 };
  const fine = { miss: typed.miss > 0, alarm: typed.alarm > 0, prior: typed.prior > 0 && typed.prior < 1 };
  for (const name of Object.keys(inputs)) {
    inputs[name].setAttribute("aria-invalid", String(!fine[name]));
    byId(`${inputs[name].id}-error`).hidden = fine[name];
  }
  if (!Object.values(fine).every(Boolean)) return;
  const own = inputs.prior.value === ownText;
  state.costs = { ...typed, own, prior: own ? ownShare(numbers.thresholds[0]) : typed.prior };
  showAdvice();
  showPoint();
  drawSoon("explore", "cost", "weight");
}
Object.values(inputs).forEach((input) => input.addEventListener("input", readCosts));

// --- curves ----------------------------------------------------------------------------------------

const banded = byId("banded");
if (banded) {
  state.banded = Number(banded.value);
  banded.addEventListener("change", () => { state.banded = Number(banded.value); draw(["curves"]); });
  document.querySelectorAll("input[name=curve]").forEach((box) => box.addEventListener("change", () => {
    state.hidden[box.checked ? "delete" : "add"](Number(box.value));
    draw(["curves"]);
  }));
}

const outlook = byId("outlook-model");
if (outlook) outlook.addEventListener("change", () => { state.outlook = Number(outlook.value); draw(["outlook"]); });

// --- comparisons -----------------------------------------------------------------------------------

const pair = byId("pair");
if (pair) pair.addEventListener("change", () => { state.pair = Number(pair.value); draw(["difference"]); });

// --- start -----------------------------------------------------------------------------------------

document.documentElement.classList.add("scripted");
document.querySelectorAll(".live").forEach((part) => { part.hidden = false; });
inputs.miss.value = state.costs.miss;
inputs.alarm.value = state.costs.alarm;
inputs.prior.value = significant(100 * state.costs.prior, 6);
showAdvice();
state.point = cheapestPoint(current(), state.costs);
showPoint();

function clicked(name, meaning) {
  const chart = byId(`chart-${name}`);
  if (chart) chart.on("plotly_click", ({ points }) => points.length && meaning(points[0]));
}

// One chart at a time, so that the page answers while the rest is drawn.
const later = [...charts];
function drawNext() {
  const name = later.shift();
  if (name) {
    draw([name]);
    setTimeout(drawNext, 0);
    return;
  }
  clicked("curves", (at) => chooseModel(at.data.meta, at.pointIndex));
  clicked("explore", (at) => choosePoint(at.pointIndex));
  clicked("cost", (at) => at.data.meta === state.model && choosePoint(at.pointIndex));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(charts));
  document.documentElement.dataset.ready = "yes";
}
drawNext();

// For the tests, which hold this arithmetic against Python's.
window.confroc = { numbers, costWeight, cheapestPoint, expectedCost, trivialCost, precisionAt, rate, signed, significant };
