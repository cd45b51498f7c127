# SPDX-License-Identifier: MIT
"""Campaigns: cases of `campaign.toml`, spread over the workers of a Dask scheduler.

orders.py divides the cases into *orders*, groups of cases that one worker measures together;
worker.py carries out one order; shared.py is the store that all workers share; spread.py hands out
the orders; refine.py orders more cases where verdicts are undecided; results.py collects the
records. Only spread.py and shared.py need the packages of requirements-campaign.txt.
"""
