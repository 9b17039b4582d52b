// Charts as data and layout for the plotting library: looked up from the numbers, drawn by it.

const DASHES = ["solid", "dash", "dot", "dashdot"];

/** Colours of the style sheet, in light or dark as it stands. */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  return {
    ink: color("--ink"), muted: color("--muted"), rule: color("--rule"), surface: color("--surface"),
    series: (k) => color(`--series-${k % 7}`),
  };
}

function translucent(hex, alpha) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return `rgba(${r},${g},${b},${alpha})`;
}

function axis(theme, title, more = {}) {
  return {
    title: { text: title, standoff: 8 }, color: theme.ink, gridcolor: theme.rule, linecolor: theme.muted,
    showline: true, zeroline: false, ticks: "outside", tickcolor: theme.muted, ticklen: 4, automargin: true,
    ...more,
  };
}

function layoutOf(theme, x, y, more = {}) {
  return {
    autosize: true, margin: { l: 58, r: 14, t: 12, b: 48 }, uirevision: "kept", hovermode: "closest",
    hoverdistance: 60, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
    font: { family: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif", size: 13, color: theme.ink },
    hoverlabel: { bgcolor: theme.surface, bordercolor: theme.muted, align: "left", font: { color: theme.ink } },
    legend: { orientation: "h", x: 0, yref: "container", y: 0, yanchor: "bottom", font: { size: 12 } },
    showlegend: false, xaxis: x, yaxis: y, ...more,
  };
}

/** The area between two edges, as two traces. */
function ribbon(x, lower, upper, color, more = {}) {
  const edge = { x, mode: "lines", line: { width: 0 }, hoverinfo: "skip", showlegend: false, ...more };
  return [
    { ...edge, y: lower, showlegend: false },
    { ...edge, y: upper, fill: "tonexty", fillcolor: translucent(color, 0.18) },
  ];
}

function guide(theme, x, y, more = {}) {
  const line = { color: theme.muted, width: 1, dash: "dash" };
  return { x, y, mode: "lines", line, hoverinfo: "skip", showlegend: false, ...more };
}

const rocAxes = (theme) => [
  axis(theme, "False positive rate", { range: [-0.01, 1.01], constrain: "domain", nticks: 6 }),
  axis(theme, "True positive rate", { range: [-0.01, 1.01], scaleanchor: "x", constrain: "domain", nticks: 6 }),
];

/** What is said about each operating point, beside the pointer. */
function pointTexts(model) {
  const p = model.points;
  return p.shown.map((threshold, i) => [
    `<b>${plain(model.model)}</b>`,
    `Threshold ${thresholdText(threshold)}`,
    ...["tpr", "fpr", "precision"].map((name) => {
      const said = withRange(p[name][i], p[`${name}_lower`][i], p[`${name}_upper`][i]);
      return `${{ tpr: "TPR", fpr: "FPR", precision: "Precision" }[name]} ${said}`;
    }),
  ].join("<br>"));
}

function pointTrace(theme, model, k) {
  const p = model.points;
  const shared = { x: p.fpr, y: p.tpr, text: pointTexts(model), hoverinfo: "text", showlegend: false, meta: k };
  const color = theme.series(k);
  // Many points are too close to be seen one by one: a line that is not drawn answers the pointer as they would.
  if (p.tpr.length > 60) return { ...shared, mode: "lines", line: { color, width: 0 } };
  return { ...shared, mode: "markers", marker: { color, size: 6, opacity: 0.8 } };
}

function curveTraces(theme, numbers, k) {
  const { curve, band, model } = numbers.curves[k];
  const color = theme.series(k);
  const line = { color, width: 2, dash: DASHES[k % DASHES.length] };
  return [
    ...ribbon(band.fpr, band.lower, band.upper, color, { legendgroup: `band ${k}` }),
    { x: curve.fpr, y: curve.tpr, mode: "lines", line, hoverinfo: "skip", name: plain(model) },
  ];
}

// Models up to which the legends name all; of more the page says beside the chart which line is whose.
const FEW = 3;
const isMany = (numbers) => numbers.thresholds.length > FEW;

/** All curves in their bands; of many the curves that are chosen, and the band of one of them. */
function curvesChart(theme, numbers, state) {
  const data = [guide(theme, [0, 1], [0, 1])];
  const many = numbers.curves.length;
  if (isMany(numbers)) {
    numbers.thresholds.forEach((model, k) => {
      const [lower, upper, line] = curveTraces(theme, numbers, k);
      const shown = !state.hidden.has(k);
      if (state.banded === k) data.push(lower, { ...upper, showlegend: false });
      data.push({ ...line, visible: shown }, { ...pointTrace(theme, model, k), visible: shown });
    });
    return { data, layout: layoutOf(theme, ...rocAxes(theme)) };
  }
  numbers.thresholds.forEach((model, k) => {
    const [lower, upper, line] = curveTraces(theme, numbers, k);
    const visible = many <= 2 ? true : "legendonly";
    const level = percent(numbers.curves[k].band.confidence_level, 10);
    const shown = { visible, showlegend: true, name: `${level} band`, legendrank: 2 * k + 2 };
    data.push({ ...lower, visible }, { ...upper, ...shown });
    data.push({ ...line, showlegend: many > 1, legendrank: 2 * k + 1 }, pointTrace(theme, model, k));
  });
  const layout = layoutOf(theme, ...rocAxes(theme), { showlegend: true });
  // Each model beside its band, where less than half a line holds its name.
  if (many > 1 && numbers.curves.every(({ model }) => model.length <= 12)) {
    Object.assign(layout.legend, { entrywidth: 0.4, entrywidthmode: "fraction" });
  }
  return { data, layout };
}

/** One curve, and the operating point that is looked at with its intervals as a cross. */
function exploreChart(theme, numbers, state) {
  const k = state.model;
  const model = numbers.thresholds[k];
  const p = model.points;
  const i = state.point;
  const arms = (name) => ({
    type: "data", symmetric: false, array: [p[`${name}_upper`][i] - p[name][i]],
    arrayminus: [p[name][i] - p[`${name}_lower`][i]], color: theme.ink, thickness: 1.6, width: 5,
  });
  const chosen = {
    x: [p.fpr[i]], y: [p.tpr[i]], error_x: arms("fpr"), error_y: arms("tpr"), mode: "markers", hoverinfo: "skip",
    marker: { color: theme.surface, size: 11, line: { color: theme.ink, width: 2.5 } }, showlegend: false,
  };
  const best = cheapestPoint(model, state.costs);
  const star = {
    x: [p.fpr[best]], y: [p.tpr[best]], mode: "markers", hoverinfo: "skip", name: "cheapest at the costs entered",
    marker: { symbol: "star", color: theme.series(k), size: 15, line: { color: theme.surface, width: 1 } },
  };
  const data = [
    guide(theme, [0, 1], [0, 1]), ...curveTraces(theme, numbers, k).map((t) => ({ ...t, showlegend: false })),
    star, chosen, pointTrace(theme, model, k),
  ];
  return { data, layout: layoutOf(theme, ...rocAxes(theme)) };
}

/** Cost per case of every operating point, at the costs that were typed. */
function costChart(theme, numbers, state) {
  const data = [];
  const n = (model) => model.n_pos + model.n_neg;
  const share = (model) => model.points.tp.map((tp, i) => (tp + model.points.fp[i]) / n(model));
  numbers.thresholds.forEach((model, k) => {
    const y = model.points.tpr.map((_, i) => expectedCost(model, i, state.costs));
    const x = share(model);
    const mine = k === state.model;
    const text = y.map((cost, i) => [
      `<b>${plain(model.model)}</b>`, `Threshold ${thresholdText(model.points.shown[i])}`,
      `Called positive ${percent(x[i])}`, `Cost per case ${amounts([cost])[0]}`,
    ].join("<br>"));
    const line = { color: theme.series(k), width: mine ? 2 : 1.2, dash: DASHES[k % DASHES.length] };
    const showlegend = !isMany(numbers);
    const name = plain(model.model);
    data.push({ x, y, mode: "lines", line, text, hoverinfo: "text", name, showlegend, meta: k });
  });
  const trivial = trivialCost(state.costs);
  data.push(guide(theme, [0, 1], [trivial, trivial], { showlegend: true, name: "without a model" }));
  const model = numbers.thresholds[state.model];
  const x = share(model);
  const best = cheapestPoint(model, state.costs);
  const marks = [
    [best, { symbol: "star", color: theme.series(state.model), size: 15 }],
    [state.point, { color: theme.surface, size: 11, line: { color: theme.ink, width: 2.5 } }],
  ];
  for (const [i, marker] of marks) {
    const y = [expectedCost(model, i, state.costs)];
    data.push({ x: [x[i]], y, mode: "markers", marker, hoverinfo: "skip", showlegend: false });
  }
  const across = axis(theme, "Share of cases called positive", { range: [-0.01, 1.01], tickformat: ".0%" });
  const up = axis(theme, "Cost per case", { rangemode: "tozero" });
  return { data, layout: layoutOf(theme, across, up, { showlegend: true }) };
}

/** Cost curves over the weight w in their simultaneous bands, and the w that the typed costs stand for. */
function weightChart(theme, numbers, state) {
  const data = [];
  numbers.costs.models.forEach(({ model, band }, k) => {
    const showlegend = !isMany(numbers);
    if (k === state.model || showlegend) data.push(...ribbon(band.w, band.lower, band.upper, theme.series(k)));
    const line = { color: theme.series(k), width: 2, dash: DASHES[k % DASHES.length] };
    const text = band.w.map((w, i) =>
      `<b>${plain(model)}</b><br>w ${rate(w)}<br>Cost ${withRange(band.estimate[i], band.lower[i], band.upper[i])}`);
    const name = plain(model);
    data.push({ x: band.w, y: band.estimate, mode: "lines", line, text, hoverinfo: "text", name, showlegend });
  });
  data.push(guide(theme, [0, 0.5, 1], [0, 0.5, 0], { showlegend: true, name: "without a model" }));
  const w = costWeight(state.costs);
  const mark = { color: theme.ink, width: 1.6, dash: "dot" };
  data.push({ x: [w, w], y: [0, 0.52], mode: "lines", line: mark, hoverinfo: "skip", name: "costs entered" });
  const across = axis(theme, "w, weight of a missed positive", { range: [0, 1] });
  const up = axis(theme, "Normalised cost", { range: [0, 0.52] });
  return { data, layout: layoutOf(theme, across, up, { showlegend: true }) };
}

/** The difference of two curves in its band. */
function differenceChart(theme, numbers, state) {
  const { a, b, band } = numbers.comparison.curves[state.pair];
  const text = band.fpr.map((fpr, i) =>
    `FPR ${rate(fpr)}<br>Difference of TPR ${withRange(band.estimate[i], band.lower[i], band.upper[i], differences)}`);
  const color = theme.series(0);
  const data = [
    ...ribbon(band.fpr, band.lower, band.upper, color), guide(theme, [0, 1], [0, 0]),
    { x: band.fpr, y: band.estimate, mode: "lines", line: { color, width: 2 }, text, hoverinfo: "text" },
  ];
  const across = axis(theme, "False positive rate", { range: [-0.01, 1.01] });
  // Two long names do not fit beside the axis; the page says above which pair it is.
  const up = a.length + b.length > 16 ? "TPR, first − second" : `TPR of ${plain(a)} − ${plain(b)}`;
  return { data, layout: layoutOf(theme, across, axis(theme, up)) };
}

/** Bounds on the area against the distance, today's intervals beside them. */
function hourglassChart(theme, numbers, state, k) {
  const { model, curve, intervals, estimate } = numbers.outlook.models[k];
  const color = theme.series(k);
  const shared = { xaxis: "x2" };
  const text = curve.jeffreys.map((jeffreys, i) =>
    `<b>${plain(model)}</b><br>Drift (Jeffreys) ${significant(jeffreys, 3)}<br>AUC ${rate(curve.lower[i])} to ${rate(curve.upper[i])}`);
  const edge = (y) => ({ x: curve.jeffreys, y, mode: "lines", line: { color, width: 1.8 }, text, hoverinfo: "text", ...shared });
  const bars = intervals.map((interval, place) => ({
    x: [interval.name], y: [interval.estimate], mode: "markers", hoverinfo: "text",
    text: [`${interval.name}<br>AUC ${withRange(interval.estimate, interval.lower, interval.upper)}`],
    marker: { color: place ? theme.muted : theme.ink, size: 8 },
    error_y: {
      type: "data", symmetric: false, array: [interval.upper - interval.estimate],
      arrayminus: [interval.estimate - interval.lower], color: place ? theme.muted : theme.ink, thickness: 2.4, width: 0,
    },
  }));
  const ends = [curve.jeffreys[0], curve.jeffreys[curve.jeffreys.length - 1]];
  const known = curve.lower.every((x) => x !== null);
  const drawn = known ? [...ribbon(curve.jeffreys, curve.lower, curve.upper, color, shared), edge(curve.lower), edge(curve.upper)] : [];
  const low = Math.min(estimate, ...curve.lower.filter((x) => x !== null), ...intervals.map((x) => x.lower));
  const high = Math.max(estimate, ...curve.upper.filter((x) => x !== null), ...intervals.map((x) => x.upper));
  const budget = { ...guide(theme, [numbers.outlook.jeffreys, numbers.outlook.jeffreys], [low, high]), ...shared };
  const data = [...bars, ...drawn, guide(theme, ends, [estimate, estimate], shared), budget];
  const beside = axis(theme, "", { domain: [0, 0.28], tickangle: -40, automargin: false });
  const over = axis(theme, "Drift (Jeffreys)", {
    automargin: false, domain: [0.41, 1], type: "log", range: ends.map(Math.log10), tickvals: [0.001, 0.01, 0.1, 1],
    ticktext: ["0.001", "0.01", "0.1", "1"],
  });
  return { data, layout: layoutOf(theme, beside, axis(theme, "AUC"), { xaxis2: over, margin: { l: 58, r: 14, t: 12, b: 88 } }) };
}

