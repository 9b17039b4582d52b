// The only arithmetic of the page: costs and prevalence that the reader types, applied to tables that
// Python made. Rates, their limits and the lower envelope are looked up, never computed, here.

/** Weight w of a missed positive; confroc.cost.cost_weight. */
function costWeight(costs) {
  const miss = costs.prior * costs.miss;
  return miss / (miss + (1 - costs.prior) * costs.alarm);
}

/** Row of the cheapest operating point: that of the piece of the lower envelope above w. */
function cheapestPoint(model, costs) {
  const w = costWeight(costs);
  const until = model.cheapest.until_w;
  let piece = 0;
  while (piece < until.length && until[piece] < w) piece += 1;
  return model.cheapest.point[piece];
}

/**
 * Cost per case and its limits, the arms of both errors squared and added; confroc.expected_cost.
 *
 * At a share of positives that was typed, and so is known, the errors are the two rates. At the share that these
 * cases have they are shares of all cases, which exclude each other: one being large, the other tends to be small.
 */
function expectedCost(model, i, costs) {
  const p = model.points;
  if (costs.own) {
    const n = model.n_pos + model.n_neg;
    const missed = (model.n_pos - p.tp[i]) / n;
    const alarms = p.fp[i] / n;
    const limits = model.shares;
    const both = Math.sqrt(missed * (1 - missed) * alarms * (1 - alarms));
    const correlation = both > 0 ? (-missed * alarms) / both : 0;
    const arm = (x, y) => Math.sqrt(Math.max(0, x * x + y * y + 2 * correlation * x * y));
    const estimate = costs.miss * missed + costs.alarm * alarms;
    const down = arm(costs.miss * (missed - limits.missed_lower[i]), costs.alarm * (alarms - limits.alarms_lower[i]));
    const up = arm(costs.miss * (limits.missed_upper[i] - missed), costs.alarm * (limits.alarms_upper[i] - alarms));
    return [estimate, Math.max(0, estimate - down), Math.min(Math.max(costs.miss, costs.alarm), estimate + up)];
  }
  const miss = costs.prior * costs.miss;
  const alarm = (1 - costs.prior) * costs.alarm;
  const estimate = miss * (1 - p.tpr[i]) + alarm * p.fpr[i];
  const down = Math.hypot(miss * (p.tpr_upper[i] - p.tpr[i]), alarm * (p.fpr[i] - p.fpr_lower[i]));
  const up = Math.hypot(miss * (p.tpr[i] - p.tpr_lower[i]), alarm * (p.fpr_upper[i] - p.fpr[i]));
  return [estimate, Math.max(0, estimate - down), Math.min(miss + alarm, estimate + up)];
}

/** Cost per case of the better of calling everybody positive and calling nobody so; confroc.cost.trivial_cost. */
function trivialCost(costs) {
  return Math.min(costs.prior * costs.miss, (1 - costs.prior) * costs.alarm);
}

/** Precision at a share of positives, by Bayes' rule; its limits are the corners of both rates' joint region. */
function precisionAt(model, i, prior) {
  const bayes = (tpr, fpr) => (tpr + fpr > 0 ? (prior * tpr) / (prior * tpr + (1 - prior) * fpr) : null);
  const p = model.points;
  const j = model.joint;
  return [
    bayes(p.tpr[i], p.fpr[i]), bayes(j.tpr_lower[i], j.fpr_upper[i]), bayes(j.tpr_upper[i], j.fpr_lower[i]),
  ];
}

