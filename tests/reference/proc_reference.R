# Reference values of the R package pROC for confroc's tests, written as JSON.
#
#   Rscript tests/reference/proc_reference.R DATA_FOLDER OUTPUT.json
#
# DATA_FOLDER holds aSAH.csv, wieand1989_pancreatic.csv, delong1988_ovarian.csv, hanley1982_ct.csv and
# vandyke1993_mrmc.csv. Next to OUTPUT.json two synthetic samples are written as CSV. The layout of the JSON is in
# README.md. Base R and pROC only. Every resampling call sets its own seed, so that one block can be rerun alone.

suppressPackageStartupMessages(library(pROC))
options(pROCProgress = list(name = "none"), warn = 1)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) stop("usage: Rscript proc_reference.R DATA_FOLDER OUTPUT.json")
data_folder <- arguments[1]
output <- arguments[2]

BOOT_N <- 20000
SEED <- 20111
RNGkind("Mersenne-Twister", "Inversion", "Rejection")

# ---- JSON ------------------------------------------------------------------------------------------------------
# A named list is an object, an unnamed list or a vector of any other length than one an array, a length-one vector
# a scalar. I() keeps a length-one vector an array. Vectors stay on one line. JSON has no infinities: strings.

json_scalar <- function(x) {
  if (is.na(x)) return("null")
  if (is.logical(x)) return(if (x) "true" else "false")
  if (is.character(x)) return(paste0("\"", gsub("([\"\\\\])", "\\\\\\1", gsub("[\n\t]", " ", x)), "\""))
  if (is.infinite(x)) return(if (x > 0) "\"inf\"" else "\"-inf\"")
  sprintf("%.15g", x)
}

json <- function(x, indent = "") {
  deeper <- paste0(indent, " ")
  if (is.list(x)) {
    if (length(x) == 0) return(if (is.null(names(x))) "[]" else "{}")
    body <- vapply(x, json, "", indent = deeper)
    ends <- c("[", "]")
    if (!is.null(names(x))) {
      stopifnot(all(nzchar(names(x))), !anyDuplicated(names(x)))
      body <- paste0("\"", names(x), "\": ", body)
      ends <- c("{", "}")
    }
    return(paste0(ends[1], "\n", paste0(deeper, body, collapse = ",\n"), "\n", indent, ends[2]))
  }
  keep_array <- inherits(x, "AsIs")
  x <- as.vector(unclass(x))
  cells <- vapply(x, json_scalar, "", USE.NAMES = FALSE)
  if (length(x) == 1 && !keep_array) cells else paste0("[", paste(cells, collapse = ", "), "]")
}

# ---- one curve -------------------------------------------------------------------------------------------------

# The value with pROC's warnings and messages beside it, so that none is lost.
noting <- function(expr) {
  notes <- character()
  value <- withCallingHandlers(
    expr,
    warning = function(w) { notes <<- c(notes, conditionMessage(w)); invokeRestart("muffleWarning") },
    message = function(m) { notes <<- c(notes, conditionMessage(m)); invokeRestart("muffleMessage") }
  )
  list(value = value, notes = I(unique(trimws(notes))))
}

with_notes <- function(fields, notes) if (length(notes)) c(fields, list(proc_warnings = notes)) else fields

curve_of <- function(positive, score) {
  roc(as.integer(positive), score, levels = c(0, 1), direction = "<", quiet = TRUE)
}

number <- function(x) as.numeric(x)

delong_block <- function(curve) {
  variance <- number(var(curve, method = "delong"))
  list(
    auc = number(auc(curve)), variance = variance, standard_error = sqrt(variance),
    ci_95 = number(ci.auc(curve, method = "delong", conf.level = 0.95))[c(1, 3)],
    ci_90 = number(ci.auc(curve, method = "delong", conf.level = 0.90))[c(1, 3)]
  )
}

curve_block <- function(curve) {
  list(threshold = curve$thresholds, specificity = curve$specificities, sensitivity = curve$sensitivities)
}

describe_bootstrap <- function(seed, stratified, fields) {
  c(list(seed = seed, boot_n = BOOT_N, stratified = stratified, confidence_level = 0.95), fields)
}

# Percentiles of pROC's own resamples; the variance is of a second run with the same seed, so of the same resamples.
bootstrap_auc_block <- function(curve, stratified, seed) {
  set.seed(seed)
  limits <- noting(number(ci.auc(curve, method = "bootstrap", boot.n = BOOT_N, boot.stratified = stratified)))
  set.seed(seed)
  variance <- noting(number(var(curve, method = "bootstrap", boot.n = BOOT_N, boot.stratified = stratified)))
  fields <- describe_bootstrap(seed, stratified, list(
    lower = limits$value[1], median = limits$value[2], upper = limits$value[3], variance = variance$value
  ))
  with_notes(fields, I(unique(c(limits$notes, variance$notes))))
}

percentiles_block <- function(ci) list(lower = ci[, 1], median = ci[, 2], upper = ci[, 3])

sensitivity_at_specificity_block <- function(curve, specificities, seed) {
  set.seed(seed)
  ci <- unclass(ci.se(curve, specificities = specificities, boot.n = BOOT_N, boot.stratified = TRUE))
  estimate <- coords(curve, specificities, input = "specificity", ret = "sensitivity", transpose = FALSE)
  describe_bootstrap(seed, TRUE, c(
    list(specificity = specificities, estimate = estimate$sensitivity), percentiles_block(ci)
  ))
}

specificity_at_sensitivity_block <- function(curve, sensitivities, seed) {
  set.seed(seed)
  ci <- unclass(ci.sp(curve, sensitivities = sensitivities, boot.n = BOOT_N, boot.stratified = TRUE))
  estimate <- coords(curve, sensitivities, input = "sensitivity", ret = "specificity", transpose = FALSE)
  describe_bootstrap(seed, TRUE, c(
    list(sensitivity = sensitivities, estimate = estimate$specificity), percentiles_block(ci)
  ))
}

rates_at_threshold_block <- function(curve, thresholds, seed) {
  set.seed(seed)
  ci <- ci.thresholds(curve, thresholds = thresholds, boot.n = BOOT_N, boot.stratified = TRUE)
  sensitivity <- vapply(thresholds, function(t) mean(curve$cases >= t), 0)
  specificity <- vapply(thresholds, function(t) mean(curve$controls < t), 0)
  describe_bootstrap(seed, TRUE, list(
    threshold = thresholds,
    sensitivity = c(list(estimate = sensitivity), percentiles_block(ci$sensitivity)),
    specificity = c(list(estimate = specificity), percentiles_block(ci$specificity))
  ))
}

PARTIAL_REGIONS <- list(
  list(focus = "specificity", range = c(1, 0.9)),
  list(focus = "specificity", range = c(1, 0.8)),
  list(focus = "sensitivity", range = c(1, 0.8))
)

partial_block <- function(curve, region, bootstrap_seed = NULL) {
  area <- function(corrected) {
    auc(curve, partial.auc = region$range, partial.auc.focus = region$focus, partial.auc.correct = corrected)
  }
  corrected <- noting(number(area(TRUE)))
  fields <- with_notes(
    list(focus = region$focus, from = region$range[1], to = region$range[2], raw = number(area(FALSE)),
         corrected = corrected$value),
    corrected$notes
  )
  if (is.null(bootstrap_seed)) return(fields)
  with_area <- function(corrected) { curve$auc <- area(corrected); curve }
  c(fields, list(
    bootstrap_raw = bootstrap_auc_block(with_area(FALSE), TRUE, bootstrap_seed),
    bootstrap_corrected = bootstrap_auc_block(with_area(TRUE), TRUE, bootstrap_seed)
  ))
}

partial_blocks <- function(curve, bootstrap_seed = NULL) {
  lapply(PARTIAL_REGIONS, function(region) partial_block(curve, region, bootstrap_seed))
}

# ---- two curves ------------------------------------------------------------------------------------------------

ALTERNATIVES <- c("two.sided", "less", "greater")
plain_alternative <- function(x) sub(".", "-", x, fixed = TRUE)

paired_block <- function(curves, a, b) {
  test <- noting(roc.test(curves[[a]], curves[[b]], method = "delong", paired = TRUE))
  value <- test$value
  narrower <- roc.test(curves[[a]], curves[[b]], method = "delong", paired = TRUE, conf.level = 0.90)
  fields <- list(
    a = a, b = b, auc_a = number(value$estimate[1]), auc_b = number(value$estimate[2]),
    difference = number(value$estimate[1] - value$estimate[2]),
    covariance = number(cov(curves[[a]], curves[[b]], method = "delong")),
    statistic = number(value$statistic), p_value = number(value$p.value),
    ci_95 = number(value$conf.int), ci_90 = number(narrower$conf.int)
  )
  with_notes(fields, test$notes)
}

paired_blocks <- function(curves) {
  lapply(utils::combn(names(curves), 2, simplify = FALSE), function(pair) paired_block(curves, pair[1], pair[2]))
}

unpaired_fields <- function(curve_a, curve_b, alternative = "two.sided") {
  test <- noting(roc.test(curve_a, curve_b, method = "delong", paired = FALSE, alternative = alternative))
  value <- test$value
  with_notes(list(
    alternative = plain_alternative(alternative),
    auc_a = number(value$estimate[1]), auc_b = number(value$estimate[2]),
    statistic = number(value$statistic), df = number(value$parameter), p_value = number(value$p.value)
  ), test$notes)
}

bootstrap_test_block <- function(curve_a, curve_b, paired, stratified, seed, method = "bootstrap", ...) {
  set.seed(seed)
  test <- noting(roc.test(curve_a, curve_b, method = method, paired = paired, boot.n = BOOT_N,
                          boot.stratified = stratified, ...))
  value <- test$value
  with_notes(list(
    seed = seed, boot_n = BOOT_N, stratified = stratified, paired = paired,
    statistic = number(value$statistic), p_value = number(value$p.value)
  ), test$notes)
}

plain_sample <- function(curves, extra = list()) {
  blocks <- lapply(curves, function(curve) c(delong_block(curve), list(partial_auc = partial_blocks(curve))))
  for (name in names(extra)) blocks[[name]][names(extra[[name]])] <- extra[[name]]
  sample <- list(n_pos = length(curves[[1]]$cases), n_neg = length(curves[[1]]$controls), markers = blocks)
  if (length(curves) > 1) sample$paired_delong <- paired_blocks(curves)
  sample
}

# ---- data sets -------------------------------------------------------------------------------------------------

read_data <- function(name) read.csv(file.path(data_folder, name))

# aSAH: a case has outcome Poor.
asah <- read_data("aSAH.csv")
asah_curves <- lapply(asah[c("s100b", "ndka", "wfns")], function(score) curve_of(asah$outcome == "Poor", score))

# The last four specificities and sensitivities are whole counts of the 72 controls and 41 cases, so no interpolation
# is needed where a resample attains them.
asah_specificities <- c(0.99, 0.95, 0.9, 0.8, 0.5, c(71, 68, 60, 54) / 72)
asah_sensitivities <- c(0.99, 0.95, 0.9, 0.8, 0.5, c(40, 37, 30, 20) / 41)
asah_thresholds <- list(s100b = c(0.1, 0.205, 0.31, 0.5), wfns = c(1.5, 2.5, 3.5, 4.5))

asah_extra <- lapply(c(s100b = "s100b", wfns = "wfns"), function(name) {
  curve <- asah_curves[[name]]
  list(
    curve = curve_block(curve),
    bootstrap_auc = list(
      bootstrap_auc_block(curve, TRUE, SEED), bootstrap_auc_block(curve, FALSE, SEED + 1)
    ),
    sensitivity_at_specificity = sensitivity_at_specificity_block(curve, asah_specificities, SEED + 2),
    specificity_at_sensitivity = specificity_at_sensitivity_block(curve, asah_sensitivities, SEED + 3),
    rates_at_threshold = rates_at_threshold_block(curve, asah_thresholds[[name]], SEED + 4),
    partial_auc = partial_blocks(curve, SEED + 5)
  )
})
asah_sample <- plain_sample(asah_curves, asah_extra)

asah_sample$paired_delong_alternatives <- lapply(ALTERNATIVES, function(alternative) {
  test <- roc.test(asah_curves$s100b, asah_curves$ndka, method = "delong", paired = TRUE, alternative = alternative)
  list(a = "s100b", b = "ndka", alternative = plain_alternative(alternative), statistic = number(test$statistic),
       p_value = number(test$p.value), ci_95 = number(test$conf.int))
})

asah_sample$unpaired_delong <- c(
  lapply(utils::combn(names(asah_curves), 2, simplify = FALSE), function(pair) {
    c(list(a = pair[1], b = pair[2]), unpaired_fields(asah_curves[[pair[1]]], asah_curves[[pair[2]]]))
  }),
  lapply(ALTERNATIVES[-1], function(alternative) {
    c(list(a = "s100b", b = "ndka"), unpaired_fields(asah_curves$s100b, asah_curves$ndka, alternative))
  })
)

s100b_ndka <- list(
  bootstrap_test_block(asah_curves$s100b, asah_curves$ndka, TRUE, TRUE, SEED + 6),
  bootstrap_test_block(asah_curves$s100b, asah_curves$ndka, TRUE, FALSE, SEED + 7)
)
asah_sample$bootstrap_test <- lapply(s100b_ndka, function(block) c(list(a = "s100b", b = "ndka"), block))
asah_sample$bootstrap_test_sensitivity_at_specificity <- c(
  list(a = "s100b", b = "ndka", specificity = 0.75),
  bootstrap_test_block(asah_curves$s100b, asah_curves$ndka, TRUE, TRUE, SEED + 8, "specificity", specificity = 0.75)
)
asah_sample$bootstrap_test_partial_auc <- local({
  partial <- function(curve) { curve$auc <- auc(curve, partial.auc = c(1, 0.8)); curve }
  c(list(a = "s100b", b = "ndka", focus = "specificity", from = 1, to = 0.8),
    bootstrap_test_block(partial(asah_curves$s100b), partial(asah_curves$ndka), TRUE, TRUE, SEED + 9))
})

# Two disjoint sets of patients: Female is a, Male is b.
asah_sample$by_gender <- local({
  female <- asah$gender == "Female"
  part <- function(rows) {
    lapply(asah[rows, c("s100b", "ndka", "wfns")], function(score) curve_of(asah$outcome[rows] == "Poor", score))
  }
  parts <- list(female = part(female), male = part(!female))
  tests <- lapply(names(parts$female), function(marker) {
    c(list(marker = marker, a = "female", b = "male"), unpaired_fields(parts$female[[marker]], parts$male[[marker]]))
  })
  sided <- lapply(ALTERNATIVES[-1], function(alternative) {
    c(list(marker = "s100b", a = "female", b = "male"),
      unpaired_fields(parts$female$s100b, parts$male$s100b, alternative))
  })
  list(
    female = plain_sample(parts$female), male = plain_sample(parts$male), unpaired_delong = c(tests, sided),
    bootstrap_test = c(
      list(marker = "s100b", a = "female", b = "male"),
      bootstrap_test_block(parts$female$s100b, parts$male$s100b, FALSE, TRUE, SEED + 10)
    )
  )
})

# Wieand et al. 1989: a case has pancreatic cancer.
wieand <- read_data("wieand1989_pancreatic.csv")
wieand_sample <- plain_sample(lapply(wieand[c("ca199", "ca125")], function(score) curve_of(wieand$cancer == 1, score)))

# DeLong et al. 1988: a case has popind 1, for which all three scores run upwards.
ovarian <- read_data("delong1988_ovarian.csv")
ovarian$kg <- 10 - ovarian$kg_raw
ovarian_sample <- plain_sample(
  lapply(ovarian[c("albumin", "total_protein", "kg")], function(score) curve_of(ovarian$popind == 1, score))
)

# Hanley & McNeil 1982: a table of counts, one row of data for each image.
ct <- read_data("hanley1982_ct.csv")
ct_curve <- curve_of(
  rep(c(0, 1), c(sum(ct$normal), sum(ct$abnormal))), c(rep(ct$rating, ct$normal), rep(ct$rating, ct$abnormal))
)
ct_sample <- plain_sample(list(rating = ct_curve), list(rating = list(curve = curve_block(ct_curve))))

# Van Dyke et al. 1993: five readers, two treatments, the same cases; a case has truth 1.
mrmc <- read_data("vandyke1993_mrmc.csv")
mrmc <- mrmc[order(mrmc$treatment, mrmc$reader, mrmc$case), ]
mrmc_curves <- lapply(split(mrmc, sprintf("treatment%d_reader%d", mrmc$treatment, mrmc$reader)), function(rows) {
  stopifnot(identical(rows$case, sort(unique(mrmc$case))))
  curve_of(rows$truth == 1, rows$rating)
})
mrmc_sample <- plain_sample(mrmc_curves)

# ---- synthetic samples -----------------------------------------------------------------------------------------

# Two correlated binormal models; positives are shifted by 1.0 and 0.6 standard deviations.
synthetic <- function(n_pos, n_neg, correlation, decimals, seed, file) {
  set.seed(seed)
  n <- n_pos + n_neg
  label <- rep(c(1L, 0L), c(n_pos, n_neg))[sample.int(n)]
  first <- rnorm(n)
  second <- correlation * first + sqrt(1 - correlation^2) * rnorm(n)
  table <- data.frame(label = label, score_a = round(first + 1.0 * label, decimals),
                      score_b = round(second + 0.6 * label, decimals))
  path <- file.path(dirname(output), file)
  write.csv(table, path, row.names = FALSE, quote = FALSE)
  table <- read.csv(path) # the values that a test reads, not those that were drawn
  curves <- lapply(table[c("score_a", "score_b")], function(score) curve_of(table$label == 1, score))
  distinct <- vapply(table[-1], function(score) length(unique(score)), 0L)
  c(list(file = file, seed = seed, decimals = decimals, correlation = correlation,
         n_distinct = list(score_a = distinct[[1]], score_b = distinct[[2]])),
    plain_sample(curves))
}

synthetic_tied <- synthetic(40, 60, 0.6, 1, SEED + 20, "synthetic_tied.csv")
synthetic_continuous <- synthetic(200, 200, 0.5, 6, SEED + 21, "synthetic_continuous.csv")

# ---- power -----------------------------------------------------------------------------------------------------

POWER_ALTERNATIVES <- c("two.sided", "one.sided")
rows_of <- function(grid, f) lapply(seq_len(nrow(grid)), function(i) do.call(f, as.list(grid[i, ])))

one_auc_fields <- function(result, alternative) {
  list(auc = number(result$auc), n_pos = number(result$ncases), n_neg = number(result$ncontrols),
       significance_level = number(result$sig.level), power = number(result$power),
       alternative = plain_alternative(alternative))
}

one_auc_power <- rows_of(
  expand.grid(alternative = POWER_ALTERNATIVES, sig.level = c(0.05, 0.01), auc = c(0.6, 0.7, 0.8, 0.9),
              sizes = 1:4, stringsAsFactors = FALSE),
  function(alternative, sig.level, auc, sizes) {
    size <- list(c(20, 20), c(41, 72), c(100, 50), c(30, 300))[[sizes]]
    one_auc_fields(power.roc.test(auc = auc, ncases = size[1], ncontrols = size[2], sig.level = sig.level,
                                  alternative = alternative), alternative)
  }
)

one_auc_sample_size <- rows_of(
  expand.grid(alternative = POWER_ALTERNATIVES, auc = c(0.6, 0.7, 0.8, 0.9), power = c(0.8, 0.95),
              kappa = c(0.5, 1, 4), stringsAsFactors = FALSE),
  function(alternative, auc, power, kappa) {
    c(one_auc_fields(power.roc.test(auc = auc, power = power, sig.level = 0.05, kappa = kappa,
                                    alternative = alternative), alternative), list(ratio = kappa))
  }
)

two_curve_fields <- function(result, alternative) {
  list(n_pos = number(result$ncases), n_neg = number(result$ncontrols), significance_level = number(result$sig.level),
       power = number(result$power), alternative = plain_alternative(alternative))
}

# power NA: the power at the sample's own size. Both orders, since pROC's null variance is twice the first curve's.
two_paired_curves <- rows_of(
  expand.grid(alternative = POWER_ALTERNATIVES, power = c(NA, 0.8, 0.9), sig.level = c(0.05, 0.01), order = 1:2,
              stringsAsFactors = FALSE),
  function(alternative, power, sig.level, order) {
    names <- list(c("s100b", "ndka"), c("ndka", "s100b"))[[order]]
    wanted <- if (is.na(power)) NULL else power
    result <- power.roc.test(asah_curves[[names[1]]], asah_curves[[names[2]]], power = wanted, sig.level = sig.level,
                             alternative = alternative, method = "delong")
    c(list(a = names[1], b = names[2], method = "delong", solved_for = if (is.na(power)) "power" else "n_pos"),
      two_curve_fields(result, alternative))
  }
)

# Obuchowski & McClish 1997: binormal parameters; whole area, and the part with false positive rate at most 0.2.
binormal_parameters <- list(
  whole_area = list(A1 = 2.6, B1 = 1, A2 = 1.9, B2 = 1, rn = 0.6, ra = 0.6,
                    delta = pnorm(2.6 / sqrt(2)) - pnorm(1.9 / sqrt(2))),
  fpr_to_0.2 = list(A1 = 2.6, B1 = 1, A2 = 1.9, B2 = 1, rn = 0.6, ra = 0.6, FPR11 = 0, FPR12 = 0.2, FPR21 = 0,
                    FPR22 = 0.2, delta = 0.037)
)
two_binormal <- rows_of(
  expand.grid(alternative = POWER_ALTERNATIVES, solve = c("power", "n_pos"), kappa = c(1, 2),
              set = names(binormal_parameters), stringsAsFactors = FALSE),
  function(alternative, solve, kappa, set) {
    parameters <- binormal_parameters[[set]]
    known <- if (solve == "power") list(ncases = 60, ncontrols = 60 * kappa) else list(power = 0.8, kappa = kappa)
    result <- do.call(power.roc.test, c(list(parameters), known, list(sig.level = 0.05, alternative = alternative)))
    c(list(parameters = set, solved_for = solve), two_curve_fields(result, alternative))
  }
)

# ---- write -----------------------------------------------------------------------------------------------------

reference <- list(
  meta = list(
    r_version = paste(R.version$major, R.version$minor, sep = "."),
    proc_version = as.character(packageVersion("pROC")),
    rng_kind = RNGkind(), boot_n = BOOT_N, first_seed = SEED, direction = "<",
    digits = 15
  ),
  asah = asah_sample,
  wieand1989 = wieand_sample,
  delong1988 = ovarian_sample,
  hanley1982 = ct_sample,
  vandyke1993 = mrmc_sample,
  synthetic_tied = synthetic_tied,
  synthetic_continuous = synthetic_continuous,
  power = list(
    one_auc_power = one_auc_power,
    one_auc_sample_size = one_auc_sample_size,
    two_paired_curves = two_paired_curves,
    two_binormal = list(parameters = binormal_parameters, results = two_binormal)
  )
)
writeLines(json(reference), output)
