/** Whether a person had chosen the severity of an issue before it was changed, so that the change can be undone. */
export const undoSeverity = `
ALTER TABLE issue_history ADD COLUMN was_severity_chosen boolean NOT NULL DEFAULT false;
`
