/**
 * How long calls took, as far as their sources know: calls by endpoint, hour and bucket of a logarithmic scale
 * (`inventory/durations.ts`), and what lists show of each endpoint, in milliseconds; -1 for unknown.
 */
export const endpointDurations = `
CREATE TABLE endpoint_durations (
  endpoint_id bigint NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
  -- Hours since 1970.
  hour integer NOT NULL,
  bucket smallint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (endpoint_id, hour, bucket)
) WITH (fillfactor = 70);
CREATE INDEX endpoint_durations_by_hour ON endpoint_durations USING brin (hour);
ALTER TABLE endpoints ADD COLUMN latency_p50 integer NOT NULL DEFAULT -1;
ALTER TABLE endpoints ADD COLUMN latency_p95 integer NOT NULL DEFAULT -1;
`
