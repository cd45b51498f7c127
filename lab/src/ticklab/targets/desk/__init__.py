# SPDX-License-Identifier: MIT
"""The program that runs a plan on a board with a GDB server: `python -m ticklab.targets.desk PLAN
SETTINGS` (targets/gdb.py starts it).

rsp.py speaks the server's protocol, board.py loads and runs the image, ring.py decodes what the
marks recorded, and log.py writes it as an event log.
"""
