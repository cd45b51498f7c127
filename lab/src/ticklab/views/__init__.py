# SPDX-License-Identifier: MIT
"""Views: print a run as table, HTML, JSON or CSV. The code of a view depends on records, and on no
particular target or kernel.

No view shows a figure as better than it is: a counted figure is a number, a modelled figure is
always an interval after a `~`, and a record whose scenario did not pass is shown with the reason.
"""
