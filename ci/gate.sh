#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the gate on a build server: measures once, and writes the changes in every format to the
# folder $REPORTS. Exits with the status of the gate. The GitHub action and the GitLab template of
# this folder call it; docs/how-to/use-the-gate-in-ci.md shows both.
#
# TICKLAB    the program (default ticklab)
# BASELINE   file of the baseline
# KERNEL     folders of kernels that are not in Ticklab, with spaces between (default none)
# SETTINGS   file of budgets (default ticklab.toml in the current folder, if there is one)
# REPORTS    folder to write (default ticklab-gate)
set -eu

ticklab=${TICKLAB:-ticklab}
reports=${REPORTS:-ticklab-gate}
: "${BASELINE:?name the file of the baseline}"
mkdir -p "$reports"

set -- --baseline "$BASELINE"
if [ -n "${SETTINGS:-}" ]; then
    set -- "$@" --settings "$SETTINGS"
fi
if [ -n "${KERNEL:-}" ]; then
    # shellcheck disable=SC2086 # one word for each folder
    set -- "$@" --kernel $KERNEL
fi

status=0
"$ticklab" --yes gate "$@" --format markdown --json "$reports/changes.json" \
    >"$reports/comment.md" || status=$?
if [ "$status" != 0 ] && [ "$status" != 1 ] && [ "$status" != 3 ]; then
    exit "$status" # nothing was judged
fi

# The run is in the store now, so the other formats need no measurement. Their status is the same.
for format in junit sarif; do
    "$ticklab" --yes gate latest "$@" --format "$format" >"$reports/$format" || [ "$?" = "$status" ]
done
mv "$reports/junit" "$reports/junit.xml"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    cat "$reports/comment.md" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
