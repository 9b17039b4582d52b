"""One self-contained HTML page, and the same numbers as JSON, from models already read in.

The page is a list of sections (`confroc.pages.page.SECTIONS`). Each is a function that calls the statistics,
keeps their results, and names the template that shows them.
"""

from confroc.pages.page import SCHEMA, Report, build_report, report, report_files
from confroc.pages.section import ReportData

__all__ = ["SCHEMA", "Report", "ReportData", "build_report", "report", "report_files"]
