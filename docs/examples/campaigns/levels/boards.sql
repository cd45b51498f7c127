-- SPDX-License-Identifier: MIT
-- By configuration: in how many worst cases (services and levels) the Cortex-M4F takes more
-- instructions to the task than the Cortex-M3, and the least, the mean and the greatest difference.
WITH worst AS (
    SELECT config, optimise, scenario, board, max(instructions_max) AS task
    FROM records
    WHERE suite = 'worst-case' AND status = 'pass' AND layout = 0 AND span = 'pend-to-task'
    GROUP BY ALL
), pairs AS (
    SELECT m4.config, m4.task - m3.task AS difference
    FROM worst AS m4 JOIN worst AS m3 USING (config, optimise, scenario)
    WHERE m4.board = 'mps2-an386' AND m3.board = 'mps2-an385'
)
SELECT config AS configuration, count(*) AS pairs, count(*) FILTER (difference > 0) AS longer,
       min(difference) AS least,
       printf('%.1f', avg(difference)) AS mean, max(difference) AS greatest
FROM pairs GROUP BY config ORDER BY config
