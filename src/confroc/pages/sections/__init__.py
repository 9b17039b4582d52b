"""The parts of the report, in order. To add one: write a module with a `Builder` and name it here."""

from confroc.pages.section import Builder
from confroc.pages.sections.area import area
from confroc.pages.sections.cases import cases
from confroc.pages.sections.citing import citing
from confroc.pages.sections.comparison import comparison
from confroc.pages.sections.costs import costs
from confroc.pages.sections.curves import curves
from confroc.pages.sections.explained import explained, reading
from confroc.pages.sections.outlook import outlook
from confroc.pages.sections.points import points
from confroc.pages.sections.thresholds import thresholds

SECTIONS: tuple[Builder, ...] = (
    cases,
    area,
    curves,
    thresholds,
    points,
    costs,
    comparison,
    outlook,
    reading,
    explained,
    citing,
)
