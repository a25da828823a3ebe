import { Failure, newHexId, nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'

/** A named list of tests. */
export interface TestSuite {
  id: string
  name: string
  testIds: string[]
  createdBy: string
  createdAt: number
  updatedAt: number
}

const COLUMNS = `id, name, test_ids AS "testIds", created_by AS "createdBy", created_at AS "createdAt",
  updated_at AS "updatedAt"`

/** All suites by name. */
export async function listSuites(store: Store): Promise<TestSuite[]> {
  const { rows } = await store.pool.query<TestSuite>(`SELECT ${COLUMNS} FROM test_suites ORDER BY name`)
  return rows
}

/** The suites of these ids that exist. */
export async function findSuites(store: Store, ids: readonly string[]): Promise<TestSuite[]> {
  const { rows } = await store.pool.query<TestSuite>(
    `SELECT ${COLUMNS} FROM test_suites WHERE id = ANY ($1::text[]) ORDER BY name`,
    [ids],
  )
  return rows
}

/** Makes a suite. @throws Failure TEST_SUITE_EXISTS when the name is taken */
export async function createSuite(
  store: Store,
  suite: { readonly name: string; readonly testIds: readonly string[]; readonly login: string },
): Promise<TestSuite> {
  const { rows } = await store.pool.query<TestSuite>(
    `INSERT INTO test_suites (id, name, test_ids, created_by, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
    [newHexId(), suite.name, suite.testIds, suite.login, nowSeconds()],
  )
  if (!rows[0]) throw new Failure('TEST_SUITE_EXISTS')
  return rows[0]
}

/** Replaces name and tests of a suite. @throws Failure TEST_SUITE_NOT_FOUND, TEST_SUITE_EXISTS */
export async function changeSuite(
  store: Store,
  id: string,
  suite: { readonly name: string; readonly testIds: readonly string[] },
): Promise<TestSuite> {
  const { rows: others } = await store.pool.query('SELECT FROM test_suites WHERE name = $2 AND id <> $1', [
    id,
    suite.name,
  ])
  if (others.length > 0) throw new Failure('TEST_SUITE_EXISTS')
  const { rows } = await store.pool.query<TestSuite>(
    `UPDATE test_suites SET name = $2, test_ids = $3, updated_at = $4 WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, suite.name, suite.testIds, nowSeconds()],
  )
  if (!rows[0]) throw new Failure('TEST_SUITE_NOT_FOUND')
  return rows[0]
}

/** Deletes a suite. @throws Failure TEST_SUITE_NOT_FOUND */
export async function deleteSuite(store: Store, id: string): Promise<void> {
  const { rowCount } = await store.pool.query('DELETE FROM test_suites WHERE id = $1', [id])
  if (!rowCount) throw new Failure('TEST_SUITE_NOT_FOUND')
}
