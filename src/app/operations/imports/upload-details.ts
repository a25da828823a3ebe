import type { ImportRow } from '../../../contract/index.ts'
import type { Store } from '../../../store/index.ts'

/** Rows with problems that one answer lists. */
const MAX_LOGS = 10_000

/** Counts and log rows of a document, as the two log operations show them. */
export interface UploadCounts {
  /** Operations with problems, in the file's order. */
  logs: { term: string; description: string }[]
  parsedWithErrors: number
  cannotBeImported: number
  clean: number
  total: number
}

/** Reads the counts and problem rows of an upload. */
export async function uploadCounts(store: Store, id: string): Promise<UploadCounts> {
  const counts = await store.db
    .selectFrom('import_rows')
    .select(['outcome', (eb) => eb.fn.countAll<number>().as('count')])
    .where('import_id', '=', id)
    .groupBy('outcome')
    .execute()
  const of = (outcome: ImportRow['outcome']): number =>
    counts.find((row) => row.outcome === outcome)?.count ?? 0
  const rows = await store.db
    .selectFrom('import_rows')
    .select(['what', 'reasons'])
    .where('import_id', '=', id)
    .where('outcome', 'not in', ['TAKEN', 'KNOWN_BEFORE'])
    .orderBy('position')
    .limit(MAX_LOGS)
    .execute()
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
