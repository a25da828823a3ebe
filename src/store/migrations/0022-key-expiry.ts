/** Until when an API key works. Never edited after release; a change is a new migration. */
export const keyExpiry = `
-- Epoch seconds; 0 for keys that do not expire.
ALTER TABLE api_keys ADD COLUMN expires_at integer NOT NULL DEFAULT 0;
`
