/** How an issue was ignored before its status changed, so that the change can be undone. */
export const undoIgnored = `
ALTER TABLE issue_history ADD COLUMN ignore_reason text;
ALTER TABLE issue_history ADD COLUMN ignored_until integer NOT NULL DEFAULT 0;
ALTER TABLE issue_history ADD COLUMN rule_id bigint;
`
