/**
 * Results, their evidence and the log of outgoing requests as tables partitioned by time, and what became of partitions
 * that are kept no longer. Rows that were there stay in place: their table becomes the first partition. Statements of
 * processes of the version before work as they did.
 */

/** The time span of partitions, in seconds; `store/partitions/partitioned-tables.ts` has the same. */
const SPAN = 30 * 86_400

/**
 * Makes the old table the partition of all times up to the end of the current span; one without rows goes. Everything
 * that no partition is for is in the default one, so nothing is refused.
 *
 * @param newest SQL of the newest time in the old table, epoch seconds; null makes the old table the only partition
 * @param bound SQL of the literal of a bound, of the number `until`
 * @param span seconds of one partition
 */
export function takeOver(table: string, newest: string, bound: string, span = SPAN): string {
  return `
DO $$
DECLARE
  newest bigint;
  until bigint;
BEGIN
  IF EXISTS (SELECT FROM ${table}_before) THEN
    SELECT ${newest} INTO newest FROM ${table}_before;
    until := (greatest(newest, extract(epoch FROM now())::bigint) / ${span} + 1) * ${span};
    EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION ${table}_before FOR VALUES FROM (MINVALUE) TO (%s)',
      CASE WHEN newest IS NULL THEN 'MAXVALUE' ELSE ${bound} END);
  ELSE
    DROP TABLE ${table}_before;
  END IF;
END $$;
CREATE TABLE ${table}_other PARTITION OF ${table} DEFAULT;
`
}

/** Ids begin with their creation in hexadecimal epoch seconds. */
function newestId(column: string): string {
  return `CASE WHEN max(${column}) ~ '^[0-9a-f]{24}$' THEN ('x' || left(max(${column}), 8))::bit(32)::bigint END`
}
const ID_BOUND = `quote_literal(lpad(to_hex(until), 8, '0'))`

export const COPIED = 'INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS INCLUDING STORAGE'

const results = `
ALTER TABLE result_evidence DROP CONSTRAINT result_evidence_result_id_fkey;
ALTER TABLE run_results RENAME TO run_results_before;
ALTER TABLE run_results_before DROP CONSTRAINT run_results_pkey;
ALTER TABLE run_results_before ADD CONSTRAINT run_results_before_pkey PRIMARY KEY (id, summary_id);
ALTER TABLE run_results_before
  RENAME CONSTRAINT run_results_summary_id_test_id_collection_id_method_url_key TO run_results_before_key;
ALTER INDEX run_results_by_severity RENAME TO run_results_before_by_severity;
ALTER INDEX run_results_by_time RENAME TO run_results_before_by_time;
ALTER INDEX run_results_by_issue RENAME TO run_results_before_by_issue;
ALTER INDEX run_results_to_repeat RENAME TO run_results_before_to_repeat;
ALTER INDEX run_results_by_endpoint RENAME TO run_results_before_by_endpoint;
-- By the creation of their execution: what is asked of one execution reads one partition.
CREATE TABLE run_results (LIKE run_results_before ${COPIED},
  PRIMARY KEY (id, summary_id),
  CONSTRAINT run_results_summary_id_test_id_collection_id_method_url_key
    UNIQUE (summary_id, test_id, collection_id, method, url),
  CONSTRAINT run_results_summary_id_fkey FOREIGN KEY (summary_id) REFERENCES run_summaries (id) ON DELETE CASCADE,
  CONSTRAINT run_results_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues (id) ON DELETE SET NULL
) PARTITION BY RANGE (summary_id);
CREATE INDEX run_results_by_severity ON run_results (summary_id, selection, severity_rank, id);
CREATE INDEX run_results_by_time ON run_results (summary_id, selection, ended_at, id);
CREATE INDEX run_results_by_issue ON run_results (issue_id, id) WHERE issue_id IS NOT NULL;
CREATE INDEX run_results_to_repeat ON run_results (summary_id) WHERE is_rerun;
CREATE INDEX run_results_by_endpoint ON run_results (collection_id, url, method, test_id, ended_at);
${takeOver('run_results', newestId('summary_id'), ID_BOUND)}
`

const evidence = `
ALTER TABLE result_evidence RENAME TO result_evidence_before;
ALTER INDEX result_evidence_pkey RENAME TO result_evidence_before_pkey;
-- By the end of the test.
CREATE TABLE result_evidence (LIKE result_evidence_before ${COPIED}, PRIMARY KEY (result_id))
  PARTITION BY RANGE (result_id);
${takeOver('result_evidence', newestId('result_id'), ID_BOUND)}

-- No reference leads to a key that is unique within its partition only.
CREATE FUNCTION run_results_removed() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  DELETE FROM result_evidence WHERE result_id IN (SELECT id FROM gone);
  RETURN NULL;
END $function$;
CREATE TRIGGER run_results_removed AFTER DELETE ON run_results
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION run_results_removed();
`

const requests = `
ALTER TABLE outgoing_requests RENAME TO outgoing_requests_before;
ALTER TABLE outgoing_requests_before ALTER COLUMN id DROP IDENTITY;
ALTER TABLE outgoing_requests_before DROP CONSTRAINT outgoing_requests_pkey;
ALTER TABLE outgoing_requests_before ADD CONSTRAINT outgoing_requests_before_pkey PRIMARY KEY (id, sent_at);
ALTER INDEX outgoing_requests_by_time RENAME TO outgoing_requests_before_by_time;
ALTER INDEX outgoing_requests_by_summary RENAME TO outgoing_requests_before_by_summary;
CREATE TABLE outgoing_requests (LIKE outgoing_requests_before ${COPIED}, PRIMARY KEY (id, sent_at))
  PARTITION BY RANGE (sent_at);
ALTER TABLE outgoing_requests ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY;
SELECT setval(pg_get_serial_sequence('outgoing_requests', 'id'), max(id)) FROM outgoing_requests_before HAVING max(id) > 0;
CREATE INDEX outgoing_requests_by_time ON outgoing_requests (sent_at);
CREATE INDEX outgoing_requests_by_summary ON outgoing_requests (summary_id, id) WHERE summary_id IS NOT NULL;
${takeOver('outgoing_requests', 'max(sent_at)', 'until::text')}
`

const archives = `
-- Partitions that were taken out of their tables.
CREATE TABLE archives (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  table_name text NOT NULL,
  partition_name text NOT NULL UNIQUE,
  -- Times of its rows, epoch seconds; from_at is 0 for the one that holds everything older.
  from_at bigint NOT NULL,
  to_at bigint NOT NULL,
  -- DETACHED: being written. ARCHIVED: its files hold everything, the table is gone. RESTORED: back for a time.
  state text NOT NULL CHECK (state IN ('DETACHED', 'ARCHIVED', 'RESTORED')),
  -- Folder or bucket that the files are in; '' before the first.
  location text NOT NULL DEFAULT '',
  row_count bigint NOT NULL DEFAULT 0,
  byte_count bigint NOT NULL DEFAULT 0,
  -- Files in order: name, rows, bytes, SHA-256, the last key.
  parts jsonb NOT NULL DEFAULT '[]',
  detached_at integer NOT NULL,
  archived_at integer NOT NULL DEFAULT 0,
  restored_until integer NOT NULL DEFAULT 0
);
`

export const partitions = [results, evidence, requests, archives].join('')
