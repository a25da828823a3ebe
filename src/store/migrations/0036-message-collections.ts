/**
 * The collection of each message behind a threat event: an aggregated event may have messages of several.
 * Never edited after release; a change is a new migration.
 */
export const messageCollections = `
-- Null for messages that were kept before.
ALTER TABLE threat_messages ADD COLUMN collection_id integer;
`
