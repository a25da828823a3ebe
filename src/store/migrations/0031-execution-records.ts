/**
 * Executions are records: triage of an issue is read from the issue, and never changes results or counts. The counts of
 * executions from before are made to agree with their results. Issues keep why a test could not verify them.
 */
export const executionRecords = `
ALTER TABLE run_results DROP COLUMN is_ignored,
  -- Status that the original request was recorded with: what a finding rests on.
  ADD COLUMN baseline_status integer;

-- Why the last test of an open issue proved nothing; null when it had a verdict.
ALTER TABLE issues ADD COLUMN unverified_reason text;
ALTER TABLE issue_history DROP CONSTRAINT issue_history_kind_check;
ALTER TABLE issue_history ADD CONSTRAINT issue_history_kind_check CHECK (kind IN ('CREATED', 'STATUS', 'SEVERITY',
  'ASSIGNEE', 'DESCRIPTION', 'TICKET', 'NOT_VERIFIED'));

UPDATE run_summaries s SET critical_count = c.critical, high_count = c.high, medium_count = c.medium, low_count = c.low
FROM (
  SELECT summary_id, count(*) FILTER (WHERE severity = 'CRITICAL') AS critical,
    count(*) FILTER (WHERE severity = 'HIGH') AS high, count(*) FILTER (WHERE severity = 'MEDIUM') AS medium,
    count(*) FILTER (WHERE severity = 'LOW') AS low
  FROM run_results WHERE selection = 'VULNERABLE' GROUP BY summary_id) c
WHERE s.id = c.summary_id;
`
