import type { Store, TestOrigin } from '../../store/index.ts'

/** What tells one kept test from another without its text. */
export interface KeptTemplate {
  readonly id: string
  readonly source: TestOrigin
  /** Path within its library or folder; null for those written in the dashboard. */
  readonly file: string | null
  readonly hash: string
}

/** Every kept test. */
export async function keptTemplates(store: Store): Promise<KeptTemplate[]> {
  const { rows } = await store.pool.query<KeptTemplate>(
    'SELECT id, source, file, content_hash AS hash FROM test_templates ORDER BY id',
  )
  return rows
}

/** Notes which test a test was made from. */
export async function noteCopy(store: Store, id: string, from: string): Promise<void> {
  await store.pool.query('UPDATE test_templates SET copied_from = $2 WHERE id = $1', [id, from])
}

/** Keeps the cases beside a test, as YAML; null for none. */
export async function keepCases(store: Store, id: string, cases: string | null): Promise<void> {
  await store.pool.query('UPDATE test_templates SET cases = $2 WHERE id = $1', [id, cases])
}

/** The cases that are kept beside a test, and the file of its library; undefined without the test. */
export async function casesOf(
  store: Store,
  id: string,
): Promise<{ cases: string | null; file: string | null; source: TestOrigin } | undefined> {
  const { rows } = await store.pool.query<{ cases: string | null; file: string | null; source: TestOrigin }>(
    'SELECT cases, file, source FROM test_templates WHERE id = $1',
    [id],
  )
  return rows[0]
}

/** The test that a test was made from, as it is now; undefined when it was made from none or that one is gone. */
export async function originalOf(
  store: Store,
  id: string,
): Promise<{ id: string; content: string } | undefined> {
  const { rows } = await store.pool.query<{ id: string; content: string }>(
    `SELECT o.id, o.content FROM test_templates t JOIN test_templates o ON o.id = t.copied_from AND o.id <> t.id
     WHERE t.id = $1`,
    [id],
  )
  return rows[0]
}

/** Switches a test off or on, whatever its file says; @returns whether there is one */
export async function switchTemplate(store: Store, id: string, isOff: boolean): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'UPDATE test_templates SET is_switched_off = $2 WHERE id = $1',
    [id, isOff],
  )
  return rowCount === 1
}

/** Removes tests of one origin; results and issues of them stay. */
export async function removeTemplates(
  store: Store,
  source: TestOrigin,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await store.pool.query('DELETE FROM test_templates WHERE source = $1 AND id = ANY ($2::text[])', [
    source,
    ids,
  ])
}
