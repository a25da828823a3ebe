/**
 * What lists read. The url in lower case is searched in an index of its own, without reading whole endpoints; changes
 * of templates are listed by time.
 * Never edited after release; a change is a new migration.
 */
export const lists = `
ALTER TABLE endpoints ADD COLUMN url_folded text COLLATE "C" GENERATED ALWAYS AS (lower(url)) STORED;
CREATE INDEX endpoints_by_text ON endpoints (id) INCLUDE (url_folded) WHERE root_id = id;
CREATE INDEX template_moves_by_time ON template_moves (decided_at);
`
