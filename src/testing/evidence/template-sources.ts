import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { templateDigest } from './record-tape.ts'

/** Keeps the texts of templates for as long as results may name them; those known already cost nothing. */
export async function keepTemplateSources(store: Store, sources: readonly string[]): Promise<void> {
  const byDigest = new Map(sources.map((source) => [templateDigest(source), source]))
  const sorted = [...byDigest].sort(([a], [b]) => (a < b ? -1 : 1))
  await store.pool.query(
    `INSERT INTO template_sources (digest, source, stored_at)
     SELECT d.digest, d.source, $3 FROM unnest($1::text[], $2::text[]) AS d (digest, source)
     ON CONFLICT (digest) DO NOTHING`,
    [sorted.map(([digest]) => digest), sorted.map(([, source]) => source), nowSeconds()],
  )
}

/** The texts behind digests; one that is not kept is missing. */
export async function templateSources(
  store: Store,
  digests: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await store.pool.query<{ digest: string; source: string }>(
    'SELECT digest, source FROM template_sources WHERE digest = ANY ($1::text[])',
    [digests],
  )
  return new Map(rows.map(({ digest, source }) => [digest, source]))
}
