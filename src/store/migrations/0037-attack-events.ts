/**
 * The endpoint that each threat event of the last seven days was counted at, so that an event that is ignored or removed
 * counts no more. Never edited after release; a change is a new migration.
 */
export const attackEvents = `
-- Without references: rows live for seven days, and one whose endpoint is gone changes nothing.
CREATE TABLE endpoint_attack_events (
  event_id uuid PRIMARY KEY,
  endpoint_id bigint NOT NULL,
  -- Days since 1970 in UTC.
  day integer NOT NULL
);
CREATE INDEX endpoint_attack_events_by_day ON endpoint_attack_events (day);
`
