"""Evaluation rules: what counts as keeping one's word, one rule per kind of statement."""

from confroc.lab.rules.area import Area, PairArea
from confroc.lab.rules.band import TrueCurve
from confroc.lab.rules.base import Rule
from confroc.lab.rules.cost import AtW, PairAtW
from confroc.lab.rules.tallies import Tally
from confroc.lab.rules.threshold import AtThreshold, PairAtThreshold
from confroc.lab.rules.vertical import AtFpr, PairAtFpr

__all__ = [
    "Area",
    "AtFpr",
    "AtThreshold",
    "AtW",
    "PairArea",
    "PairAtFpr",
    "PairAtThreshold",
    "PairAtW",
    "Rule",
    "Tally",
    "TrueCurve",
]
