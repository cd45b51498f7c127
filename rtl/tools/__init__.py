# SPDX-License-Identifier: MIT
"""The checks of `./ticklab test rtl`, and the build of the simulators. Only items.py, mutants.py
and boot.py import more than the standard library, so that rtl/simulator runs on any Python.
"""
