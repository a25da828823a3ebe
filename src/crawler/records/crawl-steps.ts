import { mapInSlices } from '../../kit/in-slices.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import { digestOf, storableText } from './storable-text.ts'

const MAX_STATE = 2200
const MAX_URL = 8192
const MAX_LABEL = 500
const MAX_CALLS = 50
/** Steps of one crawl that are kept. */
const MAX_STEPS = 50_000

/** A way from a state of a page to another, with the element that was acted on and the calls it made. */
export interface CrawlStepRecord {
  /** '' at the start. */
  readonly from: string
  readonly to: string
  readonly fromUrl: string
  readonly toUrl: string
  /** `load`, `click`, `submit` … */
  readonly action: string
  readonly xpath: string
  readonly text: string
  /** Method and URL. */
  readonly calls: readonly string[]
}

/**
 * Keeps steps of a crawl; one that is known gets the calls of the latest time. Beyond 50,000 nothing new is kept.
 *
 * @param mask masks what the graph must not show of the URLs in a text
 */
export async function saveSteps(
  store: Store,
  crawlId: string,
  steps: readonly CrawlStepRecord[],
  mask: (text: string) => string,
): Promise<void> {
  if (steps.length === 0) return
  const rows = new Map(
    steps.map((step) => [digestOf(step.from, step.to, step.action, step.xpath).toString('hex'), step]),
  )
  const kept = [...rows.values()]
  const urls = new Set(
    kept.flatMap(({ fromUrl, toUrl, calls }) => [fromUrl, toUrl, ...calls.slice(0, MAX_CALLS)]),
  )
  const masked = new Map(
    await mapInSlices([...urls], (url): [string, string] => [url, storableText(mask(url), MAX_URL)]),
  )
  await usingTransaction(store.pool, async (client) => {
    const known = await client.query<{ steps: number }>(
      'SELECT steps FROM crawls WHERE id = $1 FOR NO KEY UPDATE',
      [crawlId],
    )
    if (known.rows[0] === undefined || known.rows[0].steps >= MAX_STEPS) return
    await client.query(
      `INSERT INTO crawl_steps (crawl_id, digest, from_state, to_state, from_url, to_url, action, xpath, label, calls)
       SELECT $1, d.digest, d.from_state, d.to_state, d.from_url, d.to_url, d.action, d.xpath, d.label,
         coalesce(array(SELECT jsonb_array_elements_text(d.calls)), '{}')
       FROM unnest($2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::jsonb[]) WITH ORDINALITY
         AS d (digest, from_state, to_state, from_url, to_url, action, xpath, label, calls, place)
       ORDER BY d.place
       ON CONFLICT (crawl_id, digest) DO UPDATE SET calls = excluded.calls`,
      [
        crawlId,
        kept.map(({ from, to, action, xpath }) => digestOf(from, to, action, xpath)),
        kept.map(({ from }) => storableText(from, MAX_STATE)),
        kept.map(({ to }) => storableText(to, MAX_STATE)),
        kept.map(({ fromUrl }) => masked.get(fromUrl)!),
        kept.map(({ toUrl }) => masked.get(toUrl)!),
        kept.map(({ action }) => storableText(action, 100)),
        kept.map(({ xpath }) => storableText(xpath, MAX_URL)),
        kept.map(({ text }) => storableText(text, MAX_LABEL)),
        kept.map(({ calls }) => JSON.stringify(calls.slice(0, MAX_CALLS).map((call) => masked.get(call)!))),
      ],
    )
    await client.query(
      'UPDATE crawls SET steps = (SELECT count(*) FROM crawl_steps WHERE crawl_id = $1) WHERE id = $1',
      [crawlId],
    )
  })
}

/** Keeps the graph of a module that has no steps, as Mermaid text; its URLs are masked by the caller. */
export async function saveGraphText(store: Store, crawlId: string, text: string): Promise<void> {
  await store.pool.query('UPDATE crawls SET graph_text = $2 WHERE id = $1', [
    crawlId,
    storableText(text, 1024 * 1024),
  ])
}

/**
 * Steps of a crawl in the order they were found.
 *
 * @param url only those that lead to this URL, or made a call to it; null = all
 */
export async function listSteps(
  store: Store,
  crawlId: string,
  url: string | null,
  most: number,
): Promise<CrawlStepRecord[]> {
  const { rows } = await store.pool.query<CrawlStepRecord>(
    `SELECT from_state AS "from", to_state AS "to", from_url AS "fromUrl", to_url AS "toUrl", action, xpath,
       label AS text, calls
     FROM crawl_steps WHERE crawl_id = $1 AND ($2::text IS NULL OR to_url = $2 OR EXISTS (
       SELECT FROM unnest(calls) AS made (call) WHERE split_part(made.call, ' ', 2) = $2))
     ORDER BY id LIMIT $3`,
    [crawlId, url, most],
  )
  return rows
}
