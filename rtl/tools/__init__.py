# SPDX-License-Identifier: MIT
"""The checks of `./ticklab test rtl`, and the build of the simulators. The standard library alone,
except for items.py, mutants.py and boot.py, because rtl/simulator runs on any Python.
"""
