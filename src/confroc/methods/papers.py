"""The bibliography of methods, docstrings and the report."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

WHOLE = re.compile(r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<rest>.+?)\.?")
"""Authors, year, and the rest."""
KINDS = {
    "article": r"(?P<title>.+)\. (?P<journal>[^.]+?) (?P<volume>\d+)(?:\((?P<number>[^)]+)\))?, "
    r"(?P<pages>[\dA-Za-z–]+)",
    "book": r"(?P<title>.+)\. (?P<publisher>[^.,]+)(?:, (?P<address>[^.]+))?",
    "inproceedings": r"(?P<title>.+?)\. (?P<booktitle>.+?)(?:, (?P<pages>\d+–\d+))?",
    "techreport": r"(?P<title>.+)\. (?P<type>.+) (?P<number>\d+), (?P<institution>.+)",
    "misc": r"(?P<title>.+)\. (?P<howpublished>.+)",
}
"""The rest, by BibTeX entry type."""
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v ", "\u0327": "c ",
}  # fmt: skip
"""TeX accents by combining character."""


class Paper(NamedTuple):
    """A bibliographic reference."""

    text: str
    doi: str = ""
    kind: str = "article"

    @property
    def _parts(self) -> dict[str, str]:
        """Authors, year, title, and publication, by entry type."""
        whole = WHOLE.fullmatch(self.text)
        assert whole is not None, self.text
        found = re.fullmatch(KINDS[self.kind], whole["rest"])
        assert found is not None, self.text
        named = {"authors": whole["authors"]} | found.groupdict() | {"year": whole["year"]}
        return {name: text for name, text in named.items() if text}

    @property
    def surnames(self) -> list[str]:
        """The authors' family names, in order."""
        return [name.rpartition(" ")[0] for name in self._parts["authors"].split(", ")]

    @property
    def cited(self) -> str:
        """Citation in the text: "DeLong et al., 1988"."""
        names = self.surnames
        who = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
        return f"{who}, {self._parts['year']}"

    def bibtex(self, key: str) -> str:
        """Return the BibTeX entry in ASCII."""
        parts = self._parts
        authors = [name.rpartition(" ") for name in parts["authors"].split(", ")]
        parts["author"] = " and ".join(
            f"{name}, {' '.join(f'{i}.' for i in own)}" for name, _, own in authors
        )
        del parts["authors"]
        fields = {"author": _tex(parts.pop("author")), "title": f"{{{_tex(parts.pop('title'))}}}"}
        fields |= {name: _tex(text) for name, text in parts.items()}
        if self.doi:
            fields["doi"] = self.doi
        return entry(self.kind, key, fields)


def entry(kind: str, key: str, fields: dict[str, str]) -> str:
    """Return a BibTeX entry with TeX-encoded fields."""
    return f"@{kind}{{{key},\n" + "".join(f"  {n} = {{{text}}},\n" for n, text in fields.items()) + "}\n"


def _tex(text: str) -> str:
    """Return text encoded for TeX in ASCII."""
    written = re.sub(r"[&%$#_]|[^\x00-\x7f]", _tex_sign, unicodedata.normalize("NFC", text))
    return written.replace("–", "--").replace("’", "'")


def _tex_sign(found: re.Match[str]) -> str:
    sign = found[0]
    if sign.isascii():
        return f"\\{sign}"
    decomposed = unicodedata.normalize("NFD", sign)
    accents = [ACCENTS[mark] for mark in decomposed[1:]]
    return f"{{\\{accents[0]}{decomposed[0]}}}" if accents else sign


PAPERS = {
    "boyd2013": Paper(
        "Boyd K, Eng KH, Page CD (2013). Area under the precision-recall curve: point estimates and "
        "confidence intervals. ECML PKDD 2013, 451–466.",
        "10.1007/978-3-642-40994-3_29",
        "inproceedings",
    ),
    "davis2006": Paper(
        "Davis J, Goadrich M (2006). The relationship between precision-recall and ROC curves. ICML 2006, "
        "233–240.",
        "10.1145/1143844.1143874",
        "inproceedings",
    ),
    "delong1988": Paper(
        "DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Comparing the areas under two or more correlated "
        "receiver operating characteristic curves: a nonparametric approach. Biometrics 44(3), "
        "837–845.",
        "10.2307/2531595",
    ),
    "hanley1982": Paper(
        "Hanley JA, McNeil BJ (1982). The meaning and use of the area under a receiver operating "
        "characteristic (ROC) curve. Radiology 143(1), 29–36.",
        "10.1148/radiology.143.1.7063747",
    ),
    "reiser1986": Paper(
        "Reiser B, Guttman I (1986). Statistical inference for Pr(Y < X): the normal case. Technometrics "
        "28(3), 253–257."
    ),
    "demidenko2012": Paper(
        "Demidenko E (2012). Confidence intervals and bands for the binormal ROC curve revisited. Journal of "
        "Applied Statistics 39(1), 67–79."
    ),
    "pepe2003": Paper(
        "Pepe MS (2003). The Statistical Evaluation of Medical Tests for Classification and Prediction. "
        "Oxford University Press.",
        kind="book",
    ),
    "cortes2004": Paper(
        "Cortes C, Mohri M (2004). Confidence intervals for the area under the ROC curve. Advances in Neural "
        "Information Processing Systems 17.",
        kind="inproceedings",
    ),
    "efron1987": Paper(
        "Efron B (1987). Better bootstrap confidence intervals. Journal of the American Statistical "
        "Association 82(397), 171–185.",
        "10.1080/01621459.1987.10478410",
    ),
    "bandos2005": Paper(
        "Bandos AI, Rockette HE, Gur D (2005). A permutation test sensitive to differences in areas for "
        "comparing ROC curves from a paired design. Statistics in Medicine 24(18), 2873–2893.",
        "10.1002/sim.2149",
    ),
    "bandos2006": Paper(
        "Bandos AI, Rockette HE, Gur D (2006). Resampling methods for the area under the ROC curve. "
        "Proceedings of the Third Workshop on ROC Analysis in Machine Learning, at ICML 2006.",
        kind="inproceedings",
    ),
    "dimitriadis2023": Paper(
        "Dimitriadis T, Dümbgen L, Henzi A, Puke M, Ziegel J (2023). Honest calibration assessment for "
        "binary outcome predictions. Biometrika 110(3), 663–680.",
        "10.1093/biomet/asac068",
    ),
    "chung2013": Paper(
        "Chung E, Romano JP (2013). Exact and asymptotically robust permutation tests. The Annals of "
        "Statistics 41(2), 484–507.",
        "10.1214/13-AOS1090",
    ),
    "blanche2022": Paper(
        "Blanche P, Dartigues JF, Riou J (2022). A closed max-t test for multiple comparisons of areas under "
        "the ROC curve. Biometrics 78(1), 352–363.",
        "10.1111/biom.13401",
    ),
    "krishnamoorthy2004": Paper(
        "Krishnamoorthy K, Yu J (2004). Modified Nel and Van der Merwe test for the multivariate "
        "Behrens-Fisher problem. Statistics & Probability Letters 66(2), 161–169.",
        "10.1016/j.spl.2003.10.012",
    ),
    "hsu1996": Paper(
        "Hsu JC (1996). Multiple Comparisons: Theory and Methods. Chapman & Hall, London.", kind="book"
    ),
    "westfall1997": Paper(
        "Westfall PH (1997). Multiple testing of general contrasts using logical constraints and "
        "correlations. Journal of the American Statistical Association 92(437), 299–306."
    ),
    "obuchowski1997": Paper(
        "Obuchowski NA, McClish DK (1997). Sample size determination for diagnostic accuracy studies "
        "involving binormal ROC curve indices. Statistics in Medicine 16(13), 1529–1542.",
        "10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H",
    ),
    "mcclish1989": Paper(
        "McClish DK (1989). Analyzing a portion of the ROC curve. Medical Decision Making 9(3), 190–195."
    ),
    "newcombe2006": Paper(
        "Newcombe RG (2006). Confidence intervals for an effect size measure based on the Mann–Whitney "
        "statistic. Part 2: asymptotic methods and evaluation. Statistics in Medicine 25(4), "
        "559–573.",
        "10.1002/sim.2324",
    ),
    "yang2019": Paper(
        "Yang F, Barber RF (2019). Contraction and uniform convergence of isotonic regression. Electronic "
        "Journal of Statistics 13(1), 646–677.",
        "10.1214/18-EJS1520",
    ),
    "lancaster1961": Paper(
        "Lancaster HO (1961). Significance tests in discrete distributions. Journal of the American "
        "Statistical Association 56(294), 223–234.",
        "10.1080/01621459.1961.10482105",
    ),
    "imbens2004": Paper(
        "Imbens GW, Manski CF (2004). Confidence intervals for partially identified parameters. Econometrica "
        "72(6), 1845–1857.",
        "10.1111/j.1468-0262.2004.00555.x",
    ),
    "wilson1927": Paper(
        "Wilson EB (1927). Probable inference, the law of succession, and statistical inference. Journal of "
        "the American Statistical Association 22(158), 209–212.",
        "10.1080/01621459.1927.10502953",
    ),
    "birnbaum1957": Paper(
        "Birnbaum ZW, Klose OM (1957). Bounds for the variance of the Mann–Whitney statistic. The Annals of "
        "Mathematical Statistics 28(4), 933–945.",
        "10.1214/aoms/1177706794",
    ),
    "newcombe1998": Paper(
        "Newcombe RG (1998). Interval estimation for the difference between independent proportions: "
        "comparison of eleven methods. Statistics in Medicine 17(8), 873–890.",
        "10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I",
    ),
    "dugas2009": Paper(
        "Dugas C, Gadoury D (2009). Pointwise exact bootstrap distributions of ROC curves. CRM Working "
        "Paper 3284, Université de Montréal.",
        kind="techreport",
    ),
    "bertail2008": Paper(
        "Bertail P, Clémençon S, Vayatis N (2008). On bootstrapping the ROC curve. Advances in Neural "
        "Information Processing Systems 21, 137–144.",
        kind="inproceedings",
    ),
    "dugas2009cost": Paper(
        "Dugas C, Gadoury D (2009). Pointwise exact bootstrap distributions of cost curves. CRM Working "
        "Paper 3287, Université de Montréal.",
        kind="techreport",
    ),
    "drummond2006": Paper(
        "Drummond C, Holte RC (2006). Cost curves: an improved method for visualizing classifier "
        "performance. Machine Learning 65(1), 95–130.",
        "10.1007/s10994-006-8199-5",
    ),
    "zou2008": Paper(
        "Zou GY, Donner A (2008). Construction of confidence limits about effect measures: a general "
        "approach. Statistics in Medicine 27(10), 1693–1702.",
        "10.1002/sim.3095",
    ),
    "simel1991": Paper(
        "Simel DL, Samsa GP, Matchar DB (1991). Likelihood ratios with confidence: sample size estimation "
        "for diagnostic test studies. Journal of Clinical Epidemiology 44(8), 763–770.",
        "10.1016/0895-4356(91)90128-V",
    ),
    "mercaldo2007": Paper(
        "Mercaldo ND, Lau KF, Zhou XH (2007). Confidence intervals for predictive values with an emphasis to "
        "case-control studies. Statistics in Medicine 26(10), 2170–2183.",
        "10.1002/sim.2677",
    ),
    "leisenring2000": Paper(
        "Leisenring W, Alonzo T, Pepe MS (2000). Comparisons of predictive values of binary medical "
        "diagnostic tests for paired designs. Biometrics 56(2), 345–351.",
        "10.1111/j.0006-341X.2000.00345.x",
    ),
    "kosinski2013": Paper(
        "Kosinski AS (2013). A weighted generalized score statistic for comparison of predictive values of "
        "diagnostic tests. Statistics in Medicine 32(6), 964–977.",
        "10.1002/sim.5587",
    ),
    "moskowitz2006": Paper(
        "Moskowitz CS, Pepe MS (2006). Comparing the predictive values of diagnostic tests: sample size and "
        "analysis for paired study designs. Clinical Trials 3(3), 272–279.",
        "10.1191/1740774506cn147oa",
    ),
    "vickers2006": Paper(
        "Vickers AJ, Elkin EB (2006). Decision curve analysis: a novel method for evaluating prediction "
        "models. Medical Decision Making 26(6), 565–574.",
        "10.1177/0272989X06295361",
    ),
    "agresti1998": Paper(
        'Agresti A, Coull BA (1998). Approximate is better than "exact" for interval estimation of binomial '
        "proportions. The American Statistician 52(2), 119–126.",
        "10.1080/00031305.1998.10480550",
    ),
    "agresti2000": Paper(
        "Agresti A, Caffo B (2000). Simple and effective confidence intervals for proportions and "
        "differences of proportions result from adding two successes and two failures. The American "
        "Statistician 54(4), 280–288.",
        "10.1080/00031305.2000.10474560",
    ),
    "agresti2005": Paper(
        "Agresti A, Min Y (2005). Simple improved confidence intervals for comparing matched proportions. "
        "Statistics in Medicine 24(5), 729–740.",
        "10.1002/sim.1781",
    ),
    "bonett2012": Paper(
        "Bonett DG, Price RM (2012). Adjusted Wald confidence interval for a difference of binomial "
        "proportions based on paired data. Journal of Educational and Behavioral Statistics 37(4), 479–488.",
        "10.3102/1076998611411915",
    ),
    "morin2018": Paper(
        "Morin LP (2018). Forecast intervals for the area under the ROC curve with a time-varying "
        "population. Queen’s University.",
        kind="misc",
    ),
    "campbell1994": Paper(
        "Campbell G (1994). Advances in statistical methodology for the evaluation of diagnostic and "
        "laboratory tests. Statistics in Medicine 13(5–7), 499–508.",
        "10.1002/sim.4780130513",
    ),
    "macskassy2004": Paper(
        "Macskassy SA, Provost F (2004). Confidence bands for ROC curves: methods and an empirical study. "
        "Proceedings of the First Workshop on ROC Analysis in AI (ROCAI-2004), at ECAI-2004.",
        kind="inproceedings",
    ),
    "ma1993": Paper(
        "Ma G, Hall WJ (1993). Confidence bands for receiver operating characteristic curves. Medical "
        "Decision Making 13(3), 191–197.",
        "10.1177/0272989X9301300304",
    ),
    "brown2001": Paper(
        "Brown LD, Cai TT, DasGupta A (2001). Interval estimation for a binomial proportion. Statistical "
        "Science 16(2), 101–133.",
        "10.1214/ss/1009213286",
    ),
    "clopper1934": Paper(
        "Clopper CJ, Pearson ES (1934). The use of confidence or fiducial limits illustrated in the case of "
        "the binomial. Biometrika 26(4), 404–413.",
        "10.1093/biomet/26.4.404",
    ),
    "hall2003": Paper(
        "Hall P, Hyndman RJ (2003). Improved methods for bandwidth selection when estimating ROC curves. "
        "Statistics & Probability Letters 64(2), 181–189.",
        "10.1016/S0167-7152(03)00150-2",
    ),
    "hall2004": Paper(
        "Hall P, Hyndman RJ, Fan Y (2004). Nonparametric confidence intervals for receiver operating "
        "characteristic curves. Biometrika 91(3), 743–750.",
        "10.1093/biomet/91.3.743",
    ),
}
