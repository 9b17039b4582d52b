# Reference values of the R package pROC for thresholds at a rate or a precision, written as JSON.
#
#   Rscript tests/reference/proc_coords.R DATA_FOLDER OUTPUT.json
#
# DATA_FOLDER holds aSAH.csv. A threshold of pROC is the midpoint of two neighbouring scores. The intervals are
# percentiles of 2,000 stratified resamples at that threshold. Base R and pROC only.

suppressPackageStartupMessages(library(pROC))
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) stop("usage: Rscript proc_coords.R DATA_FOLDER OUTPUT.json")
asah <- read.csv(file.path(arguments[1], "aSAH.csv"))
value <- function(x) sub("^(-?)Inf$", "\"\\1inf\"", sprintf("%.15g", as.numeric(x)))
blocks <- c()
for (marker in c("s100b", "ndka", "wfns")) {
  curve <- roc(as.integer(asah$outcome == "Poor"), as.numeric(asah[[marker]]), levels = c(0, 1), direction = "<",
               quiet = TRUE)
  all <- coords(curve, "all", transpose = FALSE, ret = c("threshold", "specificity", "sensitivity", "ppv"))
  for (wanted in list(list("fpr", 0.1), list("fpr", 0.3), list("tpr", 0.5), list("tpr", 0.8),
                      list("precision", 0.5), list("precision", 0.6))) {
    rate <- wanted[[2]]
    found <- switch(wanted[[1]],
      fpr = min(all$threshold[1 - all$specificity <= rate + 1e-12]),
      tpr = max(all$threshold[all$sensitivity >= rate - 1e-12]),
      precision = min(all$threshold[!is.na(all$ppv) & all$ppv >= rate - 1e-12]))
    row <- all[all$threshold == found, ]
    seed <- 100 + length(blocks)
    set.seed(seed)
    ends <- ci.coords(curve, found, input = "threshold", ret = c("specificity", "sensitivity"), boot.n = 2000,
                      progress = "none")
    blocks <- c(blocks, sprintf(
      paste0(' {"marker": "%s", "wanted": "%s", "rate": %s, "threshold": %s, "specificity": %s, "sensitivity": %s,',
             ' "ppv": %s, "seed": %d, "ci_specificity": [%s, %s], "ci_sensitivity": [%s, %s]}'),
      marker, wanted[[1]], value(rate), value(found), value(row$specificity), value(row$sensitivity), value(row$ppv),
      seed, value(ends$specificity[1]), value(ends$specificity[3]), value(ends$sensitivity[1]),
      value(ends$sensitivity[3])))
  }
}
versions <- sprintf(' "r": "%s", "proc": "%s"', paste(R.version$major, R.version$minor, sep = "."),
                    as.character(packageVersion("pROC")))
writeLines(c("{", paste0(versions, ","), ' "coords": [', paste(blocks, collapse = ",\n"), " ]", "}"), arguments[2])
