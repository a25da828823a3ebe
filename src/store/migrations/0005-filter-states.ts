/** Filters can be switched off or kept as drafts, and gateways leave a note when they fetch the block list. */
export const filterStates = `
-- ON: inspects traffic. OFF: does not. DRAFT: saved, and never switched on since.
ALTER TABLE filter_templates ADD COLUMN state text NOT NULL DEFAULT 'ON' CHECK (state IN ('ON', 'OFF', 'DRAFT'));

-- When a client last fetched each form of the block list with an API key.
CREATE TABLE block_list_reads (
  format text PRIMARY KEY,
  fetched_at integer NOT NULL
);
`
