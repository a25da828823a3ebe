import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { storableText } from './storable-text.ts'

/** A picture of a crawl. */
export interface CrawlFrame {
  /** JPEG in base64. */
  readonly frame: string
  readonly url: string
  /** Epoch seconds, by the clock of its owner: of a picture that is kept, when it was received. */
  readonly takenAt: number
}

/**
 * Keeps the latest picture, as long as somebody watches a crawl that runs. When it came counts: the clock of the process that took
 * it may be wrong.
 */
export async function saveFrame(
  store: Store,
  crawlId: string,
  { frame, url }: Pick<CrawlFrame, 'frame' | 'url'>,
  now = nowSeconds(),
): Promise<void> {
  await store.pool.query(
    `INSERT INTO crawl_frames (crawl_id, frame, url, taken_at) SELECT id, $2, $3, $4 FROM crawls
     WHERE id = $1 AND status IN ('RUNNING', 'STOP_REQUESTED') AND watched_until > $4
     ON CONFLICT (crawl_id) DO UPDATE SET frame = excluded.frame, url = excluded.url, taken_at = excluded.taken_at`,
    [crawlId, frame, storableText(url, 8192), now],
  )
}

/** The latest picture, not older than the seconds given; null when there is none. */
export async function latestFrame(
  store: Store,
  crawlId: string,
  freshSeconds: number,
  now = nowSeconds(),
): Promise<CrawlFrame | null> {
  const { rows } = await store.pool.query<CrawlFrame>(
    `SELECT frame, url, taken_at AS "takenAt" FROM crawl_frames WHERE crawl_id = $1 AND taken_at >= $2`,
    [crawlId, now - freshSeconds],
  )
  return rows[0] ?? null
}

/** Removes pictures that nobody looks at any more. */
export async function dropFrames(store: Store, now = nowSeconds()): Promise<void> {
  await store.pool.query(
    'DELETE FROM crawl_frames f USING crawls c WHERE c.id = f.crawl_id AND c.watched_until <= $1',
    [now],
  )
}

/** Keeps what the engine learned of an application, as long as its crawl continues. */
export async function saveMemory(store: Store, crawlId: string, memory: string): Promise<void> {
  await store.pool.query(
    `INSERT INTO crawl_memories (crawl_id, memory) SELECT id, $2 FROM crawls
     WHERE id = $1 AND status IN ('PENDING', 'RUNNING', 'STOP_REQUESTED')
     ON CONFLICT (crawl_id) DO UPDATE SET memory = excluded.memory`,
    [crawlId, storableText(memory, 1024 * 1024)],
  )
}

/** What the engine learned; null when there is nothing. */
export async function loadMemory(store: Store, crawlId: string): Promise<string | null> {
  const { rows } = await store.pool.query<{ memory: string }>(
    'SELECT memory FROM crawl_memories WHERE crawl_id = $1',
    [crawlId],
  )
  return rows[0]?.memory ?? null
}

/** Counts exchanges that the inventory took over from a crawl. */
export async function countCaptured(store: Store, crawlId: string, count: number): Promise<void> {
  await store.pool.query('UPDATE crawls SET captured_exchanges = captured_exchanges + $2 WHERE id = $1', [
    crawlId,
    count,
  ])
}
