"""Evaluation rules: what counts as keeping one's word, one rule per kind of statement."""

from confroc.lab.rules.area import Area, PairArea, RegimeArea
from confroc.lab.rules.ball import BallRule
from confroc.lab.rules.band import FreshCurves, TrueCurve
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
    "BallRule",
    "FreshCurves",
    "PairArea",
    "PairAtFpr",
    "PairAtThreshold",
    "PairAtW",
    "RegimeArea",
    "Rule",
    "Tally",
    "TrueCurve",
]
