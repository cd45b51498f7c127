-- SPDX-License-Identifier: MIT
-- By test and board: how much the modelled cycles of a test differ between the eight placements of
-- its code, in percent of the least, from a flash memory with wait states (stm32l4-80mhz).
-- The figure is the greatest difference of all configurations and levels, and of both bounds.
WITH spread AS (
    SELECT scenario, board, count(*) AS placements,
           100 * (max(cycles_low_mean) / min(cycles_low_mean) - 1) AS low,
           100 * (max(cycles_high_mean) / min(cycles_high_mean) - 1) AS high
    FROM records
    WHERE suite = 'thread-metric' AND status = 'pass' AND cycles_low_mean IS NOT NULL
    GROUP BY scenario, board, config, optimise
)
SELECT scenario AS test, board, count(*) AS images, min(placements) AS placements,
       printf('%.1f', max(greatest(low, high))) AS "greatest difference, %"
FROM spread GROUP BY ALL ORDER BY ALL
