/** How often what the path engine learned was saved, so that processes notice what others saved. */
export const evidenceRevisions = `
ALTER TABLE path_evidence ADD COLUMN revision bigint NOT NULL DEFAULT 0;
`
