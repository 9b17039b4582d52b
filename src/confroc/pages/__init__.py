"""One self-contained HTML page, and the same numbers as JSON, from models already read in.

The page is a list of sections (`confroc.pages.page.SECTIONS`). Each is a function that calls the statistics,
keeps what they say, and names the template that shows it; a new part of the report is one more of these.
"""

from confroc.pages.page import SCHEMA, Report, build_report, report, report_files
from confroc.pages.section import ReportData

__all__ = ["SCHEMA", "Report", "ReportData", "build_report", "report", "report_files"]
