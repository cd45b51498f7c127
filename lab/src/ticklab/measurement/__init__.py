# SPDX-License-Identifier: MIT
"""Measures cases: builds their images, observes them, analyses the event logs and stores the
results.

cases.py expands a command line into cases, campaign.py measures many cases, observation.py observes
one image under one plan, and environment.py has the compilers, targets and the store that they
need."""
