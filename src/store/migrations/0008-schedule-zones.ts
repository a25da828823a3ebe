/** Repeating runs that keep their time of day in a time zone. */
export const scheduleZones = `
-- IANA name; empty: repeats after period_seconds.
ALTER TABLE test_runs ADD COLUMN time_zone text NOT NULL DEFAULT '';
-- The time that the others of a run with a time zone are counted from, epoch seconds.
ALTER TABLE test_runs ADD COLUMN schedule_anchor integer NOT NULL DEFAULT 0;
`
