import { learnedFactItems } from '../../contract/limits.ts'
import { lockTransaction, type Queryable, type Store, usingTransaction } from '../../store/index.ts'
import {
  type LearnedFact,
  type LearnedKind,
  type LearnedNews,
  learnedLength,
  learnedRules,
  mostLearned,
} from '../explore/learned.ts'
import { digestOf, storableText } from './storable-text.ts'

/** Characters of facts that are kept of a crawl; what was not touched for longest goes. */
const MAX_CHARS = 1024 * 1024
/** What a fact takes beside its texts. */
const FACT_CHARS = 40
/** Too many facts are looked for once in this many saves. */
const TRIM_EVERY = 8
/** Facts that one exchange brings back: those of some saves, whole. */
const MOST_NEWS = 10_000

const kinds = Object.keys(learnedRules) as LearnedKind[]
const onceKinds = kinds.filter((kind) => learnedRules[kind] === 'once')
const streakKinds = kinds.filter((kind) => learnedRules[kind] === 'streak')

/**
 * Puts what one process learned of a crawl together with what the others did, in one transaction, as long as the crawl
 * continues; gives what has changed since a revision. At most 2,000 facts are taken, about 1 MiB is kept.
 */
export async function shareLearned(
  store: Store,
  crawlId: string,
  since: number,
  facts: readonly LearnedFact[],
): Promise<LearnedNews> {
  if (facts.length > 0) await saveFacts(store, crawlId, facts.slice(0, learnedFactItems))
  const { rows } = await store.pool.query<LearnedFact & { revision: number }>(
    `SELECT kind, key, value, note, revision FROM crawl_learned WHERE crawl_id = $1 AND revision > $2
     ORDER BY revision LIMIT ${MOST_NEWS}`,
    [crawlId, since],
  )
  const last = Number(rows.at(-1)?.revision ?? since)
  return {
    // What was cut off comes with the next exchange, with the rest of its save once more.
    revision: rows.length < MOST_NEWS ? last : last - 1,
    facts: rows.map(({ kind, key, value, note }) => ({ kind, key, value, note })),
  }
}

async function saveFacts(store: Store, crawlId: string, facts: readonly LearnedFact[]): Promise<void> {
  const rows = new Map(
    facts
      .filter(({ kind }) => Object.hasOwn(learnedRules, kind))
      .map((fact) => {
        const key = storableText(fact.key, learnedLength)
        return [`${fact.kind} ${key}`, { ...fact, key, digest: digestOf(key) }]
      }),
  )
  const kept = [...rows.values()]
  await usingTransaction(store.pool, async (client) => {
    // One save after the other, so that no revision comes to light after a later one.
    await lockTransaction(client, 'learnedCrawlFacts', crawlId)
    const { rows: saved } = await client.query<{ revision: number }>(
      `INSERT INTO crawl_learned AS l (crawl_id, kind, digest, key, value, note, revision)
       SELECT $1, d.kind, d.digest, d.key, CASE WHEN d.value < 0 THEN -1 - d.value ELSE d.value END, d.note, r.next
       FROM unnest($2::text[], $3::bytea[], $4::text[], $5::integer[], $6::text[]) AS d (kind, digest, key, value, note),
         (SELECT coalesce(max(revision), 0) + 1 AS next FROM crawl_learned WHERE crawl_id = $1) r
       WHERE EXISTS (SELECT FROM crawls WHERE id = $1 AND status IN ('RUNNING', 'STOP_REQUESTED'))
       ON CONFLICT (crawl_id, kind, digest) DO UPDATE SET note = excluded.note, revision = excluded.revision,
         value = CASE WHEN l.kind = ANY ($7) OR (l.kind, l.digest) IN (SELECT * FROM unnest($8::text[], $9::bytea[]))
           THEN excluded.value ELSE least(${mostLearned}, l.value + excluded.value) END
       WHERE NOT (l.kind = ANY ($7) AND l.value = excluded.value AND l.note = excluded.note)
       RETURNING revision`,
      [
        crawlId,
        kept.map(({ kind }) => kind),
        kept.map(({ digest }) => digest),
        kept.map(({ key }) => key),
        kept.map(({ value }) => Math.round(Math.max(-mostLearned, Math.min(mostLearned, value)))),
        kept.map(({ note }) => storableText(note, learnedLength)),
        onceKinds,
        ...setBack(kept),
      ],
    )
    const revision = Number(saved[0]?.revision ?? 1)
    if (revision % TRIM_EVERY === 0) await trim(client, crawlId)
  })
}

/** Streaks that began again: kinds and digests. */
function setBack(
  facts: readonly { readonly kind: LearnedKind; readonly digest: Buffer; readonly value: number }[],
): [LearnedKind[], Buffer[]] {
  const back = facts.filter(({ kind, value }) => value < 0 && streakKinds.includes(kind))
  return [back.map(({ kind }) => kind), back.map(({ digest }) => digest)]
}

async function trim(client: Queryable, crawlId: string): Promise<void> {
  await client.query(
    `DELETE FROM crawl_learned WHERE crawl_id = $1 AND revision <= (SELECT max(revision) FROM (
       SELECT revision, sum(length(key) + length(note) + ${FACT_CHARS}) OVER (ORDER BY revision DESC) AS total
       FROM crawl_learned WHERE crawl_id = $1) s WHERE total > ${MAX_CHARS})`,
    [crawlId],
  )
}
