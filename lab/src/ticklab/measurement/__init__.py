# SPDX-License-Identifier: MIT
"""Measures: builds images, observes them, analyses the logs and keeps the results.

cases.py expands a command line into cases, campaign.py measures many cases, observation.py observes
one image under one plan, and environment.py has the tools of this machine that they need."""
