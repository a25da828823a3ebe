/**
 * Why an execution could not make a request from a document: the reason that its tests are not run.
 * Never edited after release; a change is a new migration.
 */
export const sampleLacks = `
-- Null where there is a message, and for executions from before.
ALTER TABLE generated_samples ADD COLUMN lack jsonb;
`
