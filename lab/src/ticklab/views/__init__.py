# SPDX-License-Identifier: MIT
"""Views: print a run as table, HTML, JSON or CSV. They know records, and neither targets nor
kernels.

No view shows a figure as better than it is: a counted figure is a number, a modelled figure is
always an interval after a `~`, and a record that did not pass is shown with its reason.
"""
