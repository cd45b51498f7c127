# SPDX-License-Identifier: MIT
"""The commands, one in each module: `HELP` (one line), `configure(parser)` and
`run(arguments) -> exit status`.

Help is printed before anything is installed. So third-party packages are imported in `run`, or in
modules that `run` imports, and never at the top of a command module.
"""
