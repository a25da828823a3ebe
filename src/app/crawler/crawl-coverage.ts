import type { CrawlCoverage } from '../../contract/index.ts'
import type { CrawlRun } from '../../crawler/index.ts'
import type { Store } from '../../store/index.ts'

/** Operations that are named. */
const MOST_MISSING = 200

/**
 * How many of the operations that documents of its collection describe, found by the crawl or given, had traffic since
 * the crawl began. Null without such documents.
 */
export async function coverageOf(store: Store, crawl: CrawlRun): Promise<CrawlCoverage | null> {
  const { rows } = await store.pool.query<{ documented: number; reached: number; missing: string[] | null }>(
    `SELECT count(*)::integer AS documented, (count(*) FILTER (WHERE last_seen >= $2))::integer AS reached,
       (array_agg(method || ' ' || url ORDER BY url, method) FILTER (WHERE last_seen < $2))[1:${MOST_MISSING}] AS missing
     FROM endpoints WHERE collection_id = $1 AND is_documented AND is_listed`,
    [crawl.collectionId, crawl.startedAt],
  )
  const [row] = rows
  if (row === undefined || row.documented === 0) return null
  return { documented: row.documented, reached: row.reached, missing: row.missing ?? [] }
}
