# SPDX-License-Identifier: MIT
"""Campaigns: cases of `campaign.toml`, spread over the workers of a Dask scheduler.

orders.py divides the cases into orders, worker.py carries one out, shared.py is the store that all
workers share, spread.py hands the orders out, refine.py orders more where verdicts are undecided,
and results.py collects the records. Only spread.py and shared.py need the packages of
requirements-campaign.txt.
"""
