/**
 * What a crawl covered, what it left out and why, as it said at its end.
 * Never edited after release; a change is a new migration.
 */
export const crawlSummary = `
ALTER TABLE crawls ADD COLUMN summary jsonb;
`
