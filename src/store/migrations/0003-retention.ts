/**
 * When a sample was stored, which is not when its message was observed: an old recording is kept as long as a new one.
 * An index for the minutes of call statistics that costs their writers next to nothing.
 * Never edited after release; a change is a new migration.
 */
export const retention = `
ALTER TABLE samples ADD COLUMN stored_at integer NOT NULL DEFAULT extract(epoch FROM now())::integer;
CREATE INDEX samples_by_storing ON samples (stored_at);
CREATE INDEX call_stats_by_minute ON call_stats USING brin (minute);
`
