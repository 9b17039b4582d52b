# Reference values of the R package pROC for best thresholds, written as JSON.
#
#   Rscript tests/reference/proc_best.R DATA_FOLDER OUTPUT.json
#
# DATA_FOLDER holds aSAH.csv. A threshold of pROC is the midpoint of two neighbouring scores. Base R and pROC only.

suppressPackageStartupMessages(library(pROC))
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) stop("usage: Rscript proc_best.R DATA_FOLDER OUTPUT.json")
asah <- read.csv(file.path(arguments[1], "aSAH.csv"))
value <- function(x) sprintf("%.15g", as.numeric(x))
blocks <- c()
for (marker in c("s100b", "ndka", "wfns")) {
  curve <- roc(as.integer(asah$outcome == "Poor"), as.numeric(asah[[marker]]), levels = c(0, 1), direction = "<",
               quiet = TRUE)
  for (best in c("youden", "closest.topleft")) {
    # Of several best thresholds the last, which is the highest.
    found <- tail(coords(curve, "best", best.method = best, transpose = FALSE,
                         ret = c("threshold", "specificity", "sensitivity")), 1)
    blocks <- c(blocks, sprintf(
      ' {"marker": "%s", "best": "%s", "threshold": %s, "specificity": %s, "sensitivity": %s}', marker, best,
      value(found$threshold), value(found$specificity), value(found$sensitivity)))
  }
}
versions <- sprintf(' "r": "%s", "proc": "%s"', paste(R.version$major, R.version$minor, sep = "."),
                    as.character(packageVersion("pROC")))
writeLines(c("{", paste0(versions, ","), ' "best": [', paste(blocks, collapse = ",\n"), " ]", "}"), arguments[2])
