import type { ImportRow } from '../../../contract/index.ts'
import type { Store } from '../../../store/index.ts'

/** Rows with problems that one answer lists. */
const MAX_LOGS = 10_000

/** Counts and log rows of a document, as the two log operations show them. */
interface UploadCounts {
  /** Operations with problems, in the file's order. */
  logs: { term: string; description: string }[]
  parsedWithErrors: number
  cannotBeImported: number
  clean: number
  total: number
}

/** Reads the counts and problem rows of an upload. */
export async function uploadCounts(store: Store, id: string): Promise<UploadCounts> {
  const counts = await store.pool.query<{ outcome: ImportRow['outcome']; count: number }>(
    'SELECT outcome, count(*) AS count FROM import_rows WHERE import_id = $1 GROUP BY outcome',
    [id],
  )
  const of = (outcome: ImportRow['outcome']): number =>
    counts.rows.find((row) => row.outcome === outcome)?.count ?? 0
  const { rows } = await store.pool.query<Pick<ImportRow, 'what' | 'reasons'>>(
    `SELECT what, reasons FROM import_rows
     WHERE import_id = $1 AND outcome NOT IN ('TAKEN', 'KNOWN_BEFORE') ORDER BY position LIMIT $2`,
    [id, MAX_LOGS],
  )
  const parsedWithErrors = of('TAKEN_WITH_WARNINGS')
  const cannotBeImported = of('SKIPPED')
  const clean = of('TAKEN') + of('KNOWN_BEFORE')
  return {
    logs: rows.map((row) => ({ term: row.what, description: row.reasons.join(',') })),
    parsedWithErrors,
    cannotBeImported,
    clean,
    total: clean + parsedWithErrors + cannotBeImported,
  }
}
