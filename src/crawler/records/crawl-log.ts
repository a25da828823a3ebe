import { mapInSlices } from '../../kit/in-slices.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { storableText } from './storable-text.ts'

const MAX_LINE = 10_000
/** Lines that are kept of one crawl, and of modules that belong to none. */
const MAX_LINES = 10_000
/** How often old lines are looked for: once in this many writes. */
const TRIM_EVERY = 500

/** A line of the log of a crawl. */
export interface CrawlLogRecord {
  /** Epoch seconds. */
  readonly at: number
  readonly level: 'info' | 'warning'
  readonly line: string
}

let written = 0

/**
 * Keeps lines; the oldest go beyond 10,000.
 *
 * @param crawlId null for lines of modules that belong to no crawl
 * @param mask masks what the log must not show of the URLs in a line
 */
export async function saveLog(
  store: Store,
  crawlId: string | null,
  lines: readonly CrawlLogRecord[],
  mask: (text: string) => string,
): Promise<void> {
  if (lines.length === 0) return
  const shown = await mapInSlices(lines, ({ line }) => storableText(mask(line), MAX_LINE))
  await store.pool.query(
    `INSERT INTO crawl_logs (crawl_id, at, level, line) SELECT $1, d.at, d.level, d.line
     FROM unnest($2::integer[], $3::text[], $4::text[]) AS d (at, level, line)
     WHERE $1::text IS NULL OR EXISTS (SELECT FROM crawls WHERE id = $1)`,
    [crawlId, lines.map(({ at }) => at), lines.map(({ level }) => level), shown],
  )
  written += lines.length
  if (written < TRIM_EVERY) return
  written = 0
  await store.pool.query(
    `DELETE FROM crawl_logs WHERE crawl_id IS NOT DISTINCT FROM $1 AND id < (
       SELECT id FROM crawl_logs WHERE crawl_id IS NOT DISTINCT FROM $1 ORDER BY id DESC OFFSET ${MAX_LINES} LIMIT 1)`,
    [crawlId],
  )
}

/** One line of now, in our own words. */
export async function logToCrawl(
  store: Store,
  crawlId: string,
  level: 'info' | 'warning',
  line: string,
): Promise<void> {
  await saveLog(store, crawlId, [{ at: nowSeconds(), level, line }], (text) => text)
}

/** A page of the log, the newest lines first. */
export async function pageLog(
  store: Store,
  crawlId: string | null,
  skip: number,
  limit: number,
): Promise<{ lines: CrawlLogRecord[]; total: number }> {
  const { rows: lines } = await store.pool.query<CrawlLogRecord>(
    `SELECT at, level, line FROM crawl_logs WHERE crawl_id IS NOT DISTINCT FROM $1 ORDER BY id DESC OFFSET $2 LIMIT $3`,
    [crawlId, skip, limit],
  )
  const { rows } = await store.pool.query<{ total: number }>(
    'SELECT count(*) AS total FROM crawl_logs WHERE crawl_id IS NOT DISTINCT FROM $1',
    [crawlId],
  )
  return { lines, total: rows[0]!.total }
}
