/** Items of an import that were taken before are told from those that were skipped. Never edited after release. */
export const knownBefore = `
ALTER TABLE import_rows DROP CONSTRAINT import_rows_outcome_check;
ALTER TABLE import_rows ADD CONSTRAINT import_rows_outcome_check
  CHECK (outcome IN ('TAKEN', 'TAKEN_WITH_WARNINGS', 'SKIPPED', 'KNOWN_BEFORE'));
`
