-- SPDX-License-Identifier: MIT
-- The worst of all services by configuration and level, on the Cortex-M4F: instructions from the
-- request of an interrupt to the task that its handler wakes, at the worst position.
PIVOT (
    SELECT config AS configuration, optimise, max(instructions_max) AS task
    FROM records
    WHERE suite = 'worst-case' AND status = 'pass' AND board = 'mps2-an386' AND layout = 0
      AND span = 'pend-to-task'
    GROUP BY ALL
) ON optimise IN ('O2', 'Os', 'O3', 'O2+lto', 'Os+lto') USING first(task)
ORDER BY "O2", configuration
