// The chart of costs, and marks on the pictures that Python drew.

const svg = (tag, attributes, text = "") => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
};

/** About four round numbers from 0 to the end of an axis. */
function ticks(end) {
  const power = 10 ** Math.floor(Math.log10(end / 4));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => end / k <= 5);
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

const DASHES = ["", "9 4", "2.5 2.5", "9 3 2.5 3"];

/** Lines over [0, 1] and marks on them: each line has x, y, row and strong; each mark x, y and sign. */
function drawChart(chart, lines, marks, names) {
  const { width, height } = chart.getBoundingClientRect();
  const [left, right, top, bottom] = [58, width - 24, 10, height - 44];
  const most = 1.05 * Math.max(...lines.flatMap((line) => line.y), 1e-12);
  const at = (x, y) => [left + x * (right - left), bottom - (y / most) * (bottom - top)];
  const parts = [svg("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "frame" })];
  for (const x of [0, 0.25, 0.5, 0.75, 1]) parts.push(svg("text", { x: at(x, 0)[0], y: bottom + 18, "text-anchor": "middle" }, percent(x)));
  for (const y of ticks(most)) parts.push(svg("text", { x: left - 6, y: at(0, y)[1] + 4, "text-anchor": "end" }, String(y)));
  parts.push(svg("text", { x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }, names[0]));
  const side = { x: 14, y: (top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + bottom) / 2})` };
  parts.push(svg("text", side, names[1]));
  for (const line of lines) {
    const d = line.x.map((x, i) => `${i ? "L" : "M"}${at(x, line.y[i]).map((v) => v.toFixed(1)).join(" ")}`).join("");
    const look = line.row === null ? { class: "guide" } : { class: `line series-${line.row % 7}`, "stroke-dasharray": DASHES[line.row % 4] };
    parts.push(svg("path", { d, ...look, style: `stroke-width: ${line.strong ? 2.5 : 1.2}` }));
  }
  for (const { x, y, sign, row } of marks) {
    const [cx, cy] = at(x, y);
    if (sign === "circle") parts.push(svg("circle", { cx, cy, r: 7, class: "mark" }));
    else parts.push(svg("text", { x: cx, y: cy + 5, "text-anchor": "middle", class: `star series-${row % 7}` }, "★"));
  }
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  chart.replaceChildren(...parts);
}

/** A picture with axes over [0, 1]: positions of points, and the point nearest to the pointer. */
class Picture {
  constructor(figure) {
    this.svg = figure.querySelector(":scope > svg");
    this.names = [figure.dataset.x, figure.dataset.y];
    [this.left, this.bottom, this.right, this.top] = this.svg.dataset.axes.split(" ").map(Number);
    this.mark = svg("circle", { r: 4, class: "mark", visibility: "hidden" });
    this.svg.append(this.mark);
  }

  place(x, y) {
    return [this.left + x * (this.right - this.left), this.bottom + y * (this.top - this.bottom)];
  }

  /** Put the circle on an operating point; without predicted positives there is no precision. */
  show(points, i) {
    const [x, y] = this.names.map((name) => points[name][i]);
    const [cx, cy] = y === null ? [0, 0] : this.place(x, y);
    Object.entries({ cx, cy, visibility: y === null ? "hidden" : "visible" }).forEach(([k, v]) => this.mark.setAttribute(k, v));
  }

  /** The model and the point nearest to an event, among the models shown. */
  nearest(event, models, hidden) {
    const matrix = this.svg.getScreenCTM().inverse();
    const pointer = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    let best = { distance: 12 };
    models.forEach(({ points }, row) => {
      if (hidden.has(row)) return;
      points[this.names[0]].forEach((x, i) => {
        const y = points[this.names[1]][i];
        if (y === null) return;
        const [a, b] = this.place(x, y);
        const distance = Math.hypot(a - pointer.x, b - pointer.y);
        if (distance < best.distance) best = { distance, row, i };
      });
    });
    return best.row === undefined ? null : best;
  }
}
