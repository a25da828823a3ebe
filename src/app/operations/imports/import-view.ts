import type { ImportRow, ImportSummary } from '../../../contract/index.ts'
import { Failure, isHexId } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import type { Caller } from '../../handler.ts'

const SUMMARY_COLUMNS = [
  'id',
  'format',
  'file_name',
  'title',
  'collection_id',
  'user_login',
  'status',
  'total',
  'taken',
  'skipped',
  'duplicates',
  'warnings',
  'fatal_error',
  'created_at',
  'ended_at',
] as const

type Outcome = ImportRow['outcome']

function selectSummaries(store: Store) {
  return store.db.selectFrom('imports').select([...SUMMARY_COLUMNS])
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof selectSummaries>['executeTakeFirstOrThrow']>>

function wireSummary(row: SummaryRow): ImportSummary {
  return {
    uploadId: row.id,
    format: row.format as ImportSummary['format'],
    fileName: row.file_name,
    title: row.title,
    apiCollectionId: row.collection_id,
    username: row.user_login,
    status: row.status,
    total: row.total,
    taken: row.taken,
    skipped: row.skipped,
    duplicates: row.duplicates,
    warnings: row.warnings,
    fatalError: row.fatal_error,
    createdTs: row.created_at,
    endedTs: row.ended_at,
  }
}

/** The summary of an import that is known to exist. */
export async function importSummary(store: Store, id: string): Promise<ImportSummary> {
  return wireSummary(await selectSummaries(store).where('id', '=', id).executeTakeFirstOrThrow())
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
  const row = await seenImport(store, caller, id)
  if (row === undefined) throw new Failure(unknown, {})
  return wireSummary(row)
}

/** The import of an id, when the caller may see it. */
export async function seenImport(store: Store, caller: Caller, id: string): Promise<SummaryRow | undefined> {
  if (!isHexId(id)) return undefined
  const row = await selectSummaries(store).where('id', '=', id).executeTakeFirst()
  return row !== undefined && mayRead(caller, row) ? row : undefined
}

function mayRead(caller: Caller, row: SummaryRow): boolean {
  if (caller.collectionIds === null || row.user_login === caller.login) return true
  return row.collection_id !== null && caller.collectionIds.includes(row.collection_id)
}

/** One page of the imports the caller may see, newest first. */
export async function listImports(
  store: Store,
  caller: Caller,
  collectionId: number | null,
  skip: number,
  limit: number,
): Promise<{ imports: ImportSummary[]; total: number }> {
  const { collectionIds } = caller
  const filtered = store.db
    .selectFrom('imports')
    .$if(collectionId !== null, (q) => q.where('collection_id', '=', collectionId))
    .$if(collectionIds !== null, (q) =>
      q.where((eb) =>
        eb.or([
          eb('user_login', '=', caller.login),
          eb('collection_id', 'in', collectionIds!.length === 0 ? [-1] : [...collectionIds!]),
        ]),
      ),
    )
  const rows = await filtered
    .select([...SUMMARY_COLUMNS])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(skip)
    .limit(limit)
    .execute()
  const { total } = await filtered
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { imports: rows.map(wireSummary), total }
}

/** One page of the rows of an import, in the order of the file. */
export async function importReportRows(
  store: Store,
  id: string,
  outcomes: readonly Outcome[],
  skip: number,
  limit: number,
): Promise<{ rows: ImportRow[]; total: number }> {
  const filtered = store.db
    .selectFrom('import_rows')
    .where('import_id', '=', id)
    .$if(outcomes.length > 0, (q) => q.where('outcome', 'in', [...outcomes]))
  const rows = await filtered
    .select(['position', 'outcome', 'place', 'what', 'reasons'])
    .orderBy('position')
    .offset(skip)
    .limit(limit)
    .execute()
  const { total } = await filtered
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}
