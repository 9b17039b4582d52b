"""The parts of the report, in order. To add one: write a module with a `Builder` and name it here."""

from confroc.report.section import Builder
from confroc.report.sections.area import area
from confroc.report.sections.cases import cases
from confroc.report.sections.citing import citing
from confroc.report.sections.comparison import comparison
from confroc.report.sections.costs import costs
from confroc.report.sections.curves import curves
from confroc.report.sections.explained import explained, reading
from confroc.report.sections.outlook import outlook
from confroc.report.sections.points import points
from confroc.report.sections.thresholds import thresholds

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
