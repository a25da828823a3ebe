/**
 * Shards of executions are leased by their own rows; the schema of the queue they used to wait in goes.
 * Never edited after release; a change is a new migration.
 */
export const shardLeases = `
DROP SCHEMA IF EXISTS queue CASCADE;
ALTER TABLE run_shards DROP COLUMN job_id;
`
