# SPDX-License-Identifier: MIT
"""The checks of `./ticklab test rtl`, and the build of the simulators. The standard library alone,
except for items.py and mutants.py, because rtl/simulator runs on any Python.
"""
