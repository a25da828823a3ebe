import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Failure, nowSeconds } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import type { ArchivePlace } from './archive-place.ts'
import { type ArchivePart, type ArchiveRecord, listArchives } from './archive-records.ts'
import { sourceOf } from './archive-sources.ts'

/** Characters of one file before it is compressed. */
const PART_CHARACTERS = 32_000_000

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

/**
 * Writes the files of every partition that was taken out, reads each back, and drops the partition after the last. What
 * a killed process had written is not written again.
 *
 * @param mayGoOn asked before each file
 * @throws Failure ARCHIVE_FAILED
 */
export async function writeArchives(
  store: Store,
  place: ArchivePlace,
  mayGoOn: () => boolean,
): Promise<ArchiveRecord[]> {
  const done: ArchiveRecord[] = []
  const detached = (await listArchives(store)).filter(({ state }) => state === 'DETACHED')
  for (const record of detached) {
    if (isElsewhere(record, place)) continue
    const parts = await writeArchive(store, place, { record, mayGoOn })
    if (parts !== null) done.push({ ...record, rows: sum(parts, 'rows'), bytes: sum(parts, 'bytes'), parts })
  }
  const begun = detached.find((record) => isElsewhere(record, place))
  if (begun !== undefined) throw new Failure('ARCHIVE_FAILED', { reason: otherPlace(begun, place) })
  return done
}

function isElsewhere({ location }: ArchiveRecord, place: ArchivePlace): boolean {
  return location !== '' && location !== place.location
}

function otherPlace({ partition, location }: ArchiveRecord, place: ArchivePlace): string {
  return `files of ${partition} are in ${location}, and VIGIL_ARCHIVE_URL names ${place.location}`
}

function sum(parts: readonly ArchivePart[], of: 'rows' | 'bytes'): number {
  return parts.reduce((total, part) => total + part[of], 0)
}

/** @returns its files; null when it is not complete yet, or another process completed it */
async function writeArchive(
  store: Store,
  place: ArchivePlace,
  { record, mayGoOn }: { record: ArchiveRecord; mayGoOn: () => boolean },
): Promise<ArchivePart[] | null> {
  const parts = [...record.parts]
  for (;;) {
    if (!mayGoOn()) return null
    const rows = await readRows(store, record, parts.at(-1)?.lastId ?? null)
    if (rows.length === 0) break
    const part = await writePart(place, partName(record, parts.length + 1), rows)
    await notePart(store, place, { record, part, before: parts.length })
    parts.push(part)
  }
  const { table, partition, from, to } = record
  const manifest = JSON.stringify({ table, partition, from, to, parts }, null, 2)
  await place.write(`${table}/${partition}/manifest.json`, Buffer.from(`${manifest}\n`))
  return usingTransaction(store.pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE archives SET state = 'ARCHIVED', archived_at = $2, location = $3 WHERE id = $1 AND state = 'DETACHED'`,
      [record.id, nowSeconds(), place.location],
    )
    // The table may be a restored partition by now.
    if (rowCount === 0) return null
    await sourceOf(record).finish(client, { ...record, parts })
    return parts
  })
}

function partName({ table, partition }: ArchiveRecord, number: number): string {
  return `${table}/${partition}/${String(number).padStart(5, '0')}.ndjson.gz`
}

interface Row {
  id: string
  line: string
}

/** Rows after an id, enough for one file. */
async function readRows(store: Store, record: ArchiveRecord, after: string | null): Promise<Row[]> {
  const { id, line, from, where, rowsPerStatement } = sourceOf(record)
  const rows: Row[] = []
  let characters = 0
  while (characters < PART_CHARACTERS) {
    const last = rows.at(-1)?.id ?? after
    const conditions = [where(record), last === null ? '' : `x.${id} > $1`].filter((text) => text !== '')
    const found = await store.pool.query<Row>(
      `SELECT x.${id}::text AS id, ${line} AS line FROM ${from(record)}
       ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`} ORDER BY x.${id} LIMIT ${rowsPerStatement}`,
      last === null ? [] : [last],
    )
    for (const row of found.rows) {
      rows.push(row)
      characters += row.line.length
    }
    if (found.rows.length < rowsPerStatement) break
  }
  return rows
}

async function writePart(place: ArchivePlace, name: string, rows: readonly Row[]): Promise<ArchivePart> {
  const bytes = await packed(rows.map(({ line }) => `${line}\n`).join(''))
  const part: ArchivePart = {
    name,
    rows: rows.length,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    lastId: rows.at(-1)!.id,
  }
  await place.write(name, bytes)
  await readPart(place, part)
  return part
}

/**
 * The lines of a file of an archived partition. An archive that was moved is read where it is now.
 *
 * @throws Failure ARCHIVE_FAILED when it is not there, or not as it was written
 */
export async function readArchived(
  place: ArchivePlace,
  record: ArchiveRecord,
  part: ArchivePart,
): Promise<string[]> {
  try {
    return await readPart(place, part)
  } catch (error) {
    if (!isElsewhere(record, place) || !(error instanceof Failure)) throw error
    const reason = `${otherPlace(record, place)}: ${error.details['reason']}`
    throw new Failure('ARCHIVE_FAILED', { reason }, { cause: error })
  }
}

/** The lines of a file. @throws Failure ARCHIVE_FAILED when it is not as it was written */
async function readPart(place: ArchivePlace, part: ArchivePart): Promise<string[]> {
  const bytes = await place.read(part.name)
  if (createHash('sha256').update(bytes).digest('hex') !== part.sha256)
    throw new Failure('ARCHIVE_FAILED', { reason: `${part.name} is not as it was written` })
  const lines = (await unpacked(bytes)).toString('utf8').split('\n').slice(0, -1)
  if (lines.length !== part.rows)
    throw new Failure('ARCHIVE_FAILED', { reason: `${part.name} does not have ${part.rows} rows` })
  return lines
}

/** Another process may have written the same file meanwhile: only the first notes it. */
async function notePart(
  store: Store,
  place: ArchivePlace,
  { record, part, before }: { record: ArchiveRecord; part: ArchivePart; before: number },
): Promise<void> {
  const { rowCount } = await store.pool.query(
    `UPDATE archives SET parts = parts || $2::jsonb, row_count = row_count + $3, byte_count = byte_count + $4, location = $5
     WHERE id = $1 AND state = 'DETACHED' AND jsonb_array_length(parts) = $6`,
    [record.id, JSON.stringify([part]), part.rows, part.bytes, place.location, before],
  )
  if (rowCount === 0)
    throw new Failure('ARCHIVE_FAILED', { reason: `another process writes ${record.partition} as well` })
}
