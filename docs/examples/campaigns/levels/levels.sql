-- SPDX-License-Identifier: MIT
-- By level, in comparison with O2: in how many worst cases (configurations, services and boards)
-- the task comes earlier and later, and the range of the difference in percent.
WITH worst AS (
    SELECT config, optimise, scenario, board, max(instructions_max) AS task
    FROM records
    WHERE suite = 'worst-case' AND status = 'pass' AND layout = 0 AND span = 'pend-to-task'
    GROUP BY ALL
), pairs AS (
    SELECT a.optimise, 100 * (a.task - b.task) / b.task AS percent
    FROM worst AS a JOIN worst AS b USING (config, scenario, board)
    WHERE b.optimise = 'O2' AND a.optimise <> 'O2'
)
SELECT optimise AS level, count(*) AS pairs, count(*) FILTER (percent < 0) AS earlier,
       count(*) FILTER (percent > 0) AS later, printf('%.1f', min(percent)) AS "least, %",
       printf('%.1f', median(percent)) AS "median, %",
       printf('%.1f', max(percent)) AS "greatest, %"
FROM pairs GROUP BY optimise ORDER BY optimise
