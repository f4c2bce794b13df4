"""The report: the paper's tables and figures from results, as one HTML page, LaTeX and CSV.

>>> from chef.report.page import write_report
>>> write_report([Path("result.json")], Path("report"))
"""
