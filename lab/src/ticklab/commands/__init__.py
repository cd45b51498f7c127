# SPDX-License-Identifier: MIT
"""One command a module: `HELP` (one line), `configure(parser)` and `run(arguments) -> exit status`.

Modules are imported to print help before anything is installed: third-party packages are imported
inside `run` or in what `run` imports, never at the top of a command module.
"""
