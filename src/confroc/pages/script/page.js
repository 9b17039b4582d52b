// Wires controls, tables and charts together. Without this script the page shows its static form.

const numbers = JSON.parse(document.getElementById("confroc-numbers").textContent);
const byId = (id) => document.getElementById(id);

const first = numbers.recommended.unit_costs;
const ownShare = (model) => model.n_pos / (model.n_pos + model.n_neg);
const state = {
  model: 0,
  point: 0,
  pair: 0,
  // Of many models: whose curves are left out, and which one has its band.
  hidden: new Set(),
  banded: -1,
  outlook: 0,
  // Whether other costs than those of the report are typed.
  typed: false,
  costs: null,
};
/** The costs of the report. */
const givenCosts = () => ({
  miss: first.miss, alarm: first.false_alarm,
  prior: first.prior ?? ownShare(numbers.thresholds[0]),
});
state.costs = givenCosts();
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

// What a click on a point of a chart chooses.
const clicks = {
  curves: (at) => chooseModel(at.data.meta, at.pointIndex),
  explore: (at) => choosePoint(at.pointIndex),
  cost: (at) => at.data.meta === state.model && choosePoint(at.pointIndex),
};

async function draw(name) {
  const chart = byId(`chart-${name}`);
  if (!chart || !chart.checkVisibility()) return;
  const isNew = !chart.data;
  const { data, layout } = builders[name](readTheme(), numbers, state);
  await Plotly.react(chart, data, layout, { displayModeBar: false });
  if (isNew && name in clicks) chart.on("plotly_click", ({ points }) => points.length && clicks[name](points[0]));
}

// One chart a frame: the page answers in between, and several events before a frame, as from a slider, draw once.
// Until nothing is left to draw, data-ready is "no".
const waiting = new Set();
const page = document.documentElement;
async function drawSoon(...names) {
  names.forEach((name) => waiting.add(name));
  if (page.dataset.ready === "no") return;
  page.dataset.ready = "no";
  for (const name of waiting) {
    await new Promise(requestAnimationFrame);
    waiting.delete(name);
    await draw(name);
  }
  page.dataset.ready = "yes";
}

// --- the threshold looked at -----------------------------------------------------------------------

function showPoint() {
  const model = current();
  const p = model.points;
  const i = state.point;
  const text = thresholdText(p.shown[i]);
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
    "point-cost": pointCost(model, i),
  };
  for (const name of ["tpr", "fpr", "precision", "npv"]) {
    const known = p[name][i] !== null;
    cells[name] = rate(p[name][i]);
    cells[`${name}-ends`] = known ? `${rate(p[`${name}_lower`][i])} to ${rate(p[`${name}_upper`][i])}` : "";
  }
  for (const [id, value] of Object.entries(cells)) byId(id).textContent = value;
  byId("expected").hidden = Math.abs(prior - ownShare(model)) < 1e-6;
}

/** The cost of the table at the recommended threshold; at any other one only an estimate. */
function pointCost(model, i) {
  const rows = numbers.recommended.models;
  if (state.typed || i !== bestPoint(state.model)) {
    return `${amounts([expectedCost(model, i, state.costs)])[0]} at a threshold fixed in advance`;
  }
  const { estimate, lower, upper } = rows[state.model];
  // In the digits of the table.
  const digits = Math.max(...rows.map((row) => places([row.estimate, row.lower, row.upper])));
  return withRange(estimate, lower, upper, (values) => amounts(values, digits));
}

/** The point of a model that the report recommends, as long as no other costs are typed. */
function bestPoint(k) {
  const model = numbers.thresholds[k];
  if (state.typed) return cheapestPoint(model, state.costs);
  const { threshold } = numbers.recommended.models[k];
  if (threshold === null) return 0;
  // The last whose cases all score at least this.
  return model.points.threshold.findLastIndex((at) => at === null || at >= threshold);
}

const advice = {
  rows: byId("advice-models"), caption: byId("advice-caption"), column: byId("advice-cost"), source: byId("advice-source"),
};
const recommended = {
  rows: [...advice.rows.childNodes], caption: advice.caption.textContent, column: advice.column.textContent,
  source: [...advice.source.childNodes],
};

/** The cheapest thresholds: those of the report, or those at the costs that were typed. */
function showAdvice() {
  if (!state.typed) {
    advice.rows.replaceChildren(...recommended.rows);
    advice.caption.textContent = recommended.caption;
    advice.column.textContent = recommended.column;
    advice.source.replaceChildren(...recommended.source);
    return;
  }
  const trivial = trivialCost(state.costs);
  // Without costs the column told error rates, which are costs per case where both errors cost 1.
  advice.column.textContent = "Cost per case";
  const labels = [...advice.rows.closest("table").querySelectorAll("thead th")].map((head) => head.textContent);
  const points = numbers.thresholds.map((model) => cheapestPoint(model, state.costs));
  const costs = numbers.thresholds.map((model, k) => expectedCost(model, points[k], state.costs));
  // Of all rows, so that they line up.
  const digits = places(costs);
  advice.rows.replaceChildren(...numbers.thresholds.map((model, k) => {
    const [point, cost] = [points[k], costs[k]];
    const row = document.createElement("tr");
    const cells = [model.model, thresholdText(model.points.shown[point]), ...amounts([cost, trivial], digits)];
    cells.forEach((text, j) => {
      const cell = document.createElement(j ? "td" : "th");
      if (j) cell.dataset.label = labels[j]; else cell.scope = "row";
      cell.textContent = text;
      row.append(cell);
    });
    return row;
  }));
  advice.caption.textContent = "Cheapest threshold and cost per case at the costs below";
  advice.source.textContent = "Optimistic: the thresholds were chosen on these cases.";
}

function choosePoint(point) {
  state.point = point;
  showPoint();
  drawSoon("explore", "cost");
}

function chooseModel(model, point = bestPoint(model)) {
  const radio = byId(`model-${model}`);
  if (radio) radio.checked = true;
  state.model = model;
  choosePoint(point);
  if (isMany(numbers)) drawSoon("weight");
}

byId("threshold").addEventListener("input", (event) => choosePoint(Number(event.target.value)));
document.querySelectorAll("input[name=model]").forEach((radio) =>
  radio.addEventListener("change", () => chooseModel(Number(radio.value))));
byId("use-cheapest").addEventListener("click", () => choosePoint(cheapestPoint(current(), state.costs)));

// --- costs -----------------------------------------------------------------------------------------

const inputs = { miss: byId("cost-miss"), alarm: byId("cost-alarm"), prior: byId("cost-prior") };

function readCosts() {
  const typed = { miss: inputs.miss.valueAsNumber, alarm: inputs.alarm.valueAsNumber, prior: inputs.prior.valueAsNumber / 100 };
  const fine = { miss: typed.miss > 0, alarm: typed.alarm > 0, prior: typed.prior > 0 && typed.prior < 1 };
  for (const name of Object.keys(inputs)) {
    inputs[name].setAttribute("aria-invalid", String(!fine[name]));
    byId(`${inputs[name].id}-error`).hidden = fine[name];
  }
  // The field holds six digits of the share.
  if (inputs.prior.value === initial.prior) typed.prior = givenCosts().prior;
  // Where an entry is no cost, the page is at the costs of the report again, and says which these are.
  const usable = Object.values(fine).every(Boolean);
  state.typed = usable && Object.keys(inputs).some((name) => inputs[name].value !== initial[name]);
  state.costs = usable ? typed : givenCosts();
  showAdvice();
  showPoint();
  drawSoon("explore", "cost", "weight");
}
Object.values(inputs).forEach((input) => input.addEventListener("input", readCosts));

// --- curves ----------------------------------------------------------------------------------------

const banded = byId("banded");
if (banded) {
  state.banded = Number(banded.value);
  banded.addEventListener("change", () => { state.banded = Number(banded.value); drawSoon("curves"); });
  document.querySelectorAll("input[name=curve]").forEach((box) => box.addEventListener("change", () => {
    state.hidden[box.checked ? "delete" : "add"](Number(box.value));
    drawSoon("curves");
  }));
}

const outlook = byId("outlook-model");
if (outlook) outlook.addEventListener("change", () => { state.outlook = Number(outlook.value); drawSoon("outlook"); });

// --- comparisons -----------------------------------------------------------------------------------

const pair = byId("pair");
if (pair) pair.addEventListener("change", () => { state.pair = Number(pair.value); drawSoon("difference"); });

// --- start -----------------------------------------------------------------------------------------

document.documentElement.classList.add("scripted");
document.querySelectorAll(".live").forEach((part) => { part.hidden = false; });
inputs.miss.value = state.costs.miss;
inputs.alarm.value = state.costs.alarm;
inputs.prior.value = significant(100 * state.costs.prior, 6);
const initial = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));
showAdvice();
state.point = bestPoint(state.model);
showPoint();

// A chart is drawn when it gets a size, at the start or unfolded, and again before anyone sees it in a box of another size.
const boxes = new ResizeObserver((found) => found.forEach(({ target }) => {
  const name = target.id.slice("chart-".length);
  if (target.data) draw(name); else drawSoon(name);
}));
charts.forEach((name) => boxes.observe(byId(`chart-${name}`)));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawSoon(...charts));

// For the tests, which hold this arithmetic against Python's.
window.confroc = { numbers, costWeight, cheapestPoint, expectedCost, trivialCost, precisionAt, rate, differences, amounts, significant };
