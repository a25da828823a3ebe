/** Results of one endpoint over all executions. */
export const endpointResults = `
CREATE INDEX run_results_by_endpoint ON run_results (collection_id, url, method, test_id, ended_at);
`
