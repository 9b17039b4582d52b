// The only arithmetic of the page: costs and the prevalence that the reader types, applied to tables from
// Python. Rates and their limits are looked up, not computed.

/** Row of the cheapest operating point; with ties, of the one with the fewest predicted positives. */
function cheapestPoint(model, costs) {
  const each = model.points.tp.map((_, i) => expectedCost(model, i, costs));
  const least = Math.min(...each);
  return each.findIndex((cost) => cost <= least * (1 + 1e-12));
}

/** Cost per case of an operating point, as confroc.expected_cost at a given threshold. */
function expectedCost(model, i, costs) {
  const missed = (model.n_pos - model.points.tp[i]) / model.n_pos;
  const alarms = model.points.fp[i] / model.n_neg;
  return costs.prior * costs.miss * missed + (1 - costs.prior) * costs.alarm * alarms;
}

/** Cost per case of the cheaper class for all cases, as confroc.cost.trivial_cost. */
function trivialCost(costs) {
  return Math.min(costs.prior * costs.miss, (1 - costs.prior) * costs.alarm);
}

/** Precision at a prevalence, by Bayes' rule; its limits are corners of the joint region of both rates. */
function precisionAt(model, i, prior) {
  const bayes = (tpr, fpr) => (tpr + fpr > 0 ? (prior * tpr) / (prior * tpr + (1 - prior) * fpr) : null);
  const p = model.points;
  const j = model.joint;
  return [
    bayes(p.tpr[i], p.fpr[i]), bayes(j.tpr_lower[i], j.fpr_upper[i]), bayes(j.tpr_upper[i], j.fpr_lower[i]),
  ];
}

