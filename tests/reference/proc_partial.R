# Reference values of the R package pROC for differences of partial areas, written as JSON.
#
#   Rscript tests/reference/proc_partial.R DATA_FOLDER OUTPUT.json
#
# DATA_FOLDER holds aSAH.csv and wieand1989_pancreatic.csv; synthetic_continuous.csv is read from the folder of the
# output. pROC tests partial areas by the bootstrap only: the difference over the standard deviation of BOOT_N
# stratified resamples. Base R and pROC only; every call sets its own seed.

suppressPackageStartupMessages(library(pROC))
options(pROCProgress = list(name = "none"), warn = 1)
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) stop("usage: Rscript proc_partial.R DATA_FOLDER OUTPUT.json")
BOOT_N <- 10000
SEED <- 30311
RNGkind("Mersenne-Twister", "Inversion", "Rejection")

curve_of <- function(positive, score) {
  roc(as.integer(positive), score, levels = c(0, 1), direction = "<", quiet = TRUE)
}

blocks <- list()
compare <- function(name, a, b, curve_a, curve_b, focus, to, corrected, paired) {
  part <- function(curve) {
    curve$auc <- auc(curve, partial.auc = c(1, to), partial.auc.focus = focus, partial.auc.correct = corrected)
    curve
  }
  seed <- SEED + length(blocks)
  set.seed(seed)
  test <- roc.test(part(curve_a), part(curve_b), method = "bootstrap", paired = paired, boot.n = BOOT_N,
                   boot.stratified = TRUE)
  value <- function(x) sprintf("%.15g", as.numeric(x))
  blocks[[length(blocks) + 1]] <<- sprintf(
    paste0(' {"data": "%s", "a": "%s", "b": "%s", "focus": "%s", "to": %s, "corrected": %s, "paired": %s, ',
           '"seed": %d, "area_a": %s, "area_b": %s, "statistic": %s, "p_value": %s}'),
    name, a, b, focus, value(to), tolower(corrected), tolower(paired), seed, value(test$estimate[1]),
    value(test$estimate[2]), value(test$statistic), value(test$p.value))
}

asah <- read.csv(file.path(arguments[1], "aSAH.csv"))
wieand <- read.csv(file.path(arguments[1], "wieand1989_pancreatic.csv"))
synthetic <- read.csv(file.path(dirname(arguments[2]), "synthetic_continuous.csv"))
sets <- list(
  asah = list(a = "s100b", b = "ndka", positive = asah$outcome == "Poor", scores = asah),
  wieand1989 = list(a = "ca199", b = "ca125", positive = wieand$cancer == 1, scores = wieand),
  synthetic_continuous = list(a = "score_a", b = "score_b", positive = synthetic$label == 1, scores = synthetic)
)
for (name in names(sets)) {
  set <- sets[[name]]
  curves <- lapply(c(set$a, set$b), function(marker) curve_of(set$positive, set$scores[[marker]]))
  for (part in list(list("specificity", 0.8), list("specificity", 0.9), list("sensitivity", 0.8))) {
    compare(name, set$a, set$b, curves[[1]], curves[[2]], part[[1]], part[[2]], FALSE, TRUE)
  }
  compare(name, set$a, set$b, curves[[1]], curves[[2]], "specificity", 0.8, TRUE, TRUE)
}
sexes <- lapply(c("Female", "Male"), function(sex) {
  rows <- asah$gender == sex
  curve_of(asah$outcome[rows] == "Poor", asah$s100b[rows])
})
compare("asah", "female", "male", sexes[[1]], sexes[[2]], "specificity", 0.8, FALSE, FALSE)

writeLines(c(
  "{", sprintf('"proc_version": "%s", "boot_n": %d,', as.character(packageVersion("pROC")), BOOT_N),
  '"tests": [', paste(unlist(blocks), collapse = ",\n"), "]", "}"), arguments[2])
