-- SPDX-License-Identifier: MIT
-- The worst case of every service by configuration, at O2 on the Cortex-M4F: instructions from the
-- request of an interrupt to its handler, and to the task that the handler wakes, at the worst
-- position. docs/explanation/findings/levels.md has the answer.
--
--   ./ticklab campaign docs/examples/campaigns/levels/campaign.toml \
--       --sql "$(cat docs/examples/campaigns/levels/services.sql)"
WITH worst AS (
    SELECT scenario AS service, config,
           max(instructions_max) FILTER (span = 'pend-to-interrupt') AS handler,
           max(instructions_max) FILTER (span = 'pend-to-task') AS task
    FROM records
    WHERE suite = 'worst-case' AND status = 'pass' AND optimise = 'O2' AND board = 'mps2-an386'
      AND layout = 0
    GROUP BY ALL
), named AS (
    SELECT service, config, printf('%d, %d', handler::INT, task::INT) AS cell FROM worst
)
PIVOT named ON config USING first(cell) ORDER BY service
