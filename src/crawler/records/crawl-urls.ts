import { mapInSlices } from '../../kit/in-slices.ts'
import { type Queryable, type Store, usingTransaction } from '../../store/index.ts'
import { digestOf, storableOrNull, storableText } from './storable-text.ts'

const MAX_URL = 8192
const MAX_BUTTON_TEXT = 500
const MAX_REASON = 200
/** URLs of one crawl that are kept. */
const MAX_URLS = 200_000
/** URLs that one list shows. */
const MAX_LISTED = 50_000
const MAX_REASONS = 100

/** A URL that a crawl found. */
export interface CrawlUrlRecord {
  readonly url: string
  readonly isAccepted: boolean
  /** Why it was left out; '' when accepted or not told. */
  readonly reason: string
  /** How it was found; '' when not told. */
  readonly origin: string
  /** Epoch seconds. */
  readonly foundAt: number
  readonly sourceUrl: string | null
  readonly sourceXpath: string | null
  readonly buttonText: string | null
}

/**
 * Keeps URLs of a crawl: one for every URL and source, the last word wins, but an
 * element that was told is not forgotten. Beyond 200,000 nothing new is kept.
 *
 * @param mask masks what lists must not show of a URL
 */
export async function saveUrls(
  store: Store,
  crawlId: string,
  urls: readonly CrawlUrlRecord[],
  mask: (text: string) => string,
): Promise<void> {
  if (urls.length === 0) return
  const rows = new Map(
    await mapInSlices(urls, (found): [string, CrawlUrlRecord] => {
      const shown = { ...found, url: mask(found.url), sourceUrl: found.sourceUrl && mask(found.sourceUrl) }
      return [digestOf(shown.url, shown.sourceUrl ?? '').toString('hex'), shown]
    }),
  )
  await usingTransaction(store.pool, async (client) => {
    const known = await client.query<{ total: number }>(
      'SELECT accepted_urls + rejected_urls AS total FROM crawls WHERE id = $1 FOR NO KEY UPDATE',
      [crawlId],
    )
    if (known.rows[0] === undefined || known.rows[0].total >= MAX_URLS) return
    await insertUrls(
      client,
      crawlId,
      [...rows].sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    await client.query(
      `UPDATE crawls c SET accepted_urls = n.accepted, rejected_urls = n.rejected
       FROM (SELECT count(*) FILTER (WHERE is_accepted)::integer AS accepted,
         count(*) FILTER (WHERE NOT is_accepted)::integer AS rejected FROM crawl_urls WHERE crawl_id = $1) n
       WHERE c.id = $1`,
      [crawlId],
    )
  })
}

async function insertUrls(
  client: Queryable,
  crawlId: string,
  rows: readonly (readonly [string, CrawlUrlRecord])[],
): Promise<void> {
  await client.query(
    `INSERT INTO crawl_urls (crawl_id, digest, url, is_accepted, reason, origin, found_at, source_url, source_xpath,
       button_text)
     SELECT $1, d.digest, d.url, d.is_accepted, d.reason, d.origin, d.found_at, d.source_url, d.source_xpath,
       d.button_text
     FROM unnest($2::bytea[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::integer[], $8::text[],
       $9::text[], $10::text[]) WITH ORDINALITY
       AS d (digest, url, is_accepted, reason, origin, found_at, source_url, source_xpath, button_text, place)
     ORDER BY d.place
     ON CONFLICT (crawl_id, digest) DO UPDATE SET is_accepted = excluded.is_accepted, reason = excluded.reason,
       origin = excluded.origin, found_at = excluded.found_at,
       source_xpath = coalesce(nullif(excluded.source_xpath, ''), crawl_urls.source_xpath),
       button_text = coalesce(nullif(excluded.button_text, ''), crawl_urls.button_text)`,
    [
      crawlId,
      rows.map(([digest]) => Buffer.from(digest, 'hex')),
      rows.map(([, { url }]) => storableText(url, MAX_URL)),
      rows.map(([, { isAccepted }]) => isAccepted),
      rows.map(([, { reason }]) => storableText(reason, MAX_REASON)),
      rows.map(([, { origin }]) => storableText(origin, MAX_REASON)),
      rows.map(([, { foundAt }]) => foundAt),
      rows.map(([, { sourceUrl }]) => storableOrNull(sourceUrl, MAX_URL)),
      rows.map(([, { sourceXpath }]) => storableOrNull(sourceXpath, MAX_URL)),
      rows.map(([, { buttonText }]) => storableOrNull(buttonText, MAX_BUTTON_TEXT)),
    ],
  )
}

const COLUMNS = `url, is_accepted AS "isAccepted", reason, origin, found_at AS "foundAt", source_url AS "sourceUrl",
  source_xpath AS "sourceXpath", button_text AS "buttonText"`

/** Every URL of a crawl by time, at most 50,000. */
export async function listUrls(store: Store, crawlId: string): Promise<CrawlUrlRecord[]> {
  const { rows } = await store.pool.query<CrawlUrlRecord>(
    `SELECT ${COLUMNS} FROM crawl_urls WHERE crawl_id = $1 ORDER BY found_at, id LIMIT ${MAX_LISTED}`,
    [crawlId],
  )
  return rows
}

/** Which URLs of a crawl a page shows. */
interface UrlSelection {
  /** Null: both. */
  readonly accepted: boolean | null
  /** Null: any. */
  readonly reason: string | null
  /** Text that the URL holds; '' for any. */
  readonly search: string
  readonly skip: number
  readonly limit: number
}

/** A page of the URLs of a crawl in the order they were found, and how many were left out for which reason. */
export async function pageUrls(
  store: Store,
  crawlId: string,
  selection: UrlSelection,
): Promise<{ urls: CrawlUrlRecord[]; total: number; reasons: { reason: string; count: number }[] }> {
  const where = `crawl_id = $1 AND ($2::boolean IS NULL OR is_accepted = $2) AND ($3::text IS NULL OR reason = $3)
    AND ($4 = '' OR strpos(lower(url), lower($4)) > 0)`
  const values = [crawlId, selection.accepted, selection.reason, selection.search]
  const { rows: urls } = await store.pool.query<CrawlUrlRecord>(
    `SELECT ${COLUMNS} FROM crawl_urls WHERE ${where} ORDER BY found_at, id OFFSET $5 LIMIT $6`,
    [...values, selection.skip, selection.limit],
  )
  const { rows: totals } = await store.pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM crawl_urls WHERE ${where}`,
    values,
  )
  const { rows: reasons } = await store.pool.query<{ reason: string; count: number }>(
    `SELECT reason, count(*) AS count FROM crawl_urls WHERE crawl_id = $1 AND NOT is_accepted
     GROUP BY reason ORDER BY count(*) DESC, reason LIMIT ${MAX_REASONS}`,
    [crawlId],
  )
  return { urls, total: totals[0]!.total, reasons }
}

/** URLs in scope of a crawl, each once, the first found first. */
export async function acceptedUrls(store: Store, crawlId: string, most: number): Promise<string[]> {
  const { rows } = await store.pool.query<{ url: string }>(
    `SELECT url FROM crawl_urls WHERE crawl_id = $1 AND is_accepted GROUP BY url ORDER BY min(id) LIMIT $2`,
    [crawlId, most],
  )
  return rows.map(({ url }) => url)
}
