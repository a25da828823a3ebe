import type { ImportRow, ImportSummary } from '../../../contract/index.ts'
import { Failure, isHexId } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import type { Caller } from '../../handler.ts'

/** SQL of the fields of a summary. */
const SUMMARY = `id AS "uploadId", format, file_name AS "fileName", title, collection_id AS "apiCollectionId",
  user_login AS username, status, total, taken, skipped, duplicates, warnings, fatal_error AS "fatalError",
  created_at AS "createdTs", ended_at AS "endedTs"`

type Outcome = ImportRow['outcome']

async function findSummary(store: Store, id: string): Promise<ImportSummary | undefined> {
  const { rows } = await store.pool.query<ImportSummary>(`SELECT ${SUMMARY} FROM imports WHERE id = $1`, [id])
  return rows[0]
}

/** The summary of an import that is known to exist. */
export async function importSummary(store: Store, id: string): Promise<ImportSummary> {
  const summary = await findSummary(store, id)
  if (summary === undefined) throw new Error(`no import ${id}`)
  return summary
}

/**
 * The summary of an import the caller may see.
 *
 * @param unknown code of the failure for malformed and unknown ids
 * @throws Failure `unknown`
 */
export async function visibleImport(
  store: Store,
  caller: Caller,
  id: string,
  unknown: string = 'INVALID_UPLOAD_ID',
): Promise<ImportSummary> {
  const summary = await seenImport(store, caller, id)
  if (summary === undefined) throw new Failure(unknown, {})
  return summary
}

/** The import of an id, when the caller may see it. */
export async function seenImport(
  store: Store,
  caller: Caller,
  id: string,
): Promise<ImportSummary | undefined> {
  if (!isHexId(id)) return undefined
  const summary = await findSummary(store, id)
  return summary !== undefined && mayRead(caller, summary) ? summary : undefined
}

function mayRead(caller: Caller, { username, apiCollectionId }: ImportSummary): boolean {
  if (caller.collectionIds === null || username === caller.login) return true
  return apiCollectionId !== null && caller.collectionIds.includes(apiCollectionId)
}

/** One page of the imports the caller may see, newest first. */
export async function listImports(
  store: Store,
  caller: Caller,
  collectionId: number | null,
  skip: number,
  limit: number,
): Promise<{ imports: ImportSummary[]; total: number }> {
  const where = `($1::integer IS NULL OR collection_id = $1)
    AND ($2::integer[] IS NULL OR user_login = $3 OR collection_id = ANY ($2))`
  const values = [collectionId, caller.collectionIds, caller.login]
  const { rows } = await store.pool.query<ImportSummary>(
    `SELECT ${SUMMARY} FROM imports WHERE ${where} ORDER BY created_at DESC, id DESC OFFSET $4 LIMIT $5`,
    [...values, skip, limit],
  )
  const counted = await store.pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM imports WHERE ${where}`,
    values,
  )
  return { imports: rows, total: counted.rows[0]!.total }
}

/** One page of the rows of an import, in the order of the file. */
export async function importReportRows(
  store: Store,
  id: string,
  outcomes: readonly Outcome[],
  skip: number,
  limit: number,
): Promise<{ rows: ImportRow[]; total: number }> {
  const where = 'import_id = $1 AND (cardinality($2::text[]) = 0 OR outcome = ANY ($2))'
  const { rows } = await store.pool.query<ImportRow>(
    `SELECT position, outcome, place, what, reasons FROM import_rows WHERE ${where}
     ORDER BY position OFFSET $3 LIMIT $4`,
    [id, outcomes, skip, limit],
  )
  const counted = await store.pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM import_rows WHERE ${where}`,
    [id, outcomes],
  )
  return { rows, total: counted.rows[0]!.total }
}
