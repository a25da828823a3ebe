/** The request that a test run or a crawl was started with, and its trace: for logs and traces of the process that works on it. */
export const requestContexts = `
ALTER TABLE run_summaries ADD COLUMN request_context jsonb;
ALTER TABLE crawls ADD COLUMN request_context jsonb;
`
