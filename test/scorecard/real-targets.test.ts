import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { TARGETS } from '../../bench/real-targets/catalogue.ts'
import { fits, nameless, operationsOf } from '../../bench/real-targets/operations.ts'
import { ordersOf } from '../../bench/real-targets/record.ts'
import {
  coverage,
  differences,
  judged,
  type Score,
  table,
  weaknessesIn,
} from '../../bench/real-targets/score.ts'
import { changesBetween, sqliteDatabase } from '../../bench/real-targets/snapshot.ts'

const weakness = {
  name: 'basket of another customer',
  at: 'GET /baskets/{id}',
  tests: ['BOLA_READ*'],
}
const finding = {
  test: 'BOLA_READ',
  severity: 'HIGH',
  at: 'GET /baskets/{}',
  reason: 'The answer is the same.',
}

const score: Score = {
  target: 'shop',
  make: 'Go, REST',
  sound: false,
  order: ['owner', 'attacker', 'administrator'],
  endpoints: 3,
  routes: { all: 4, seen: 3 },
  findings: [{ ...finding, verdict: 'true', why: '' }],
  weaknesses: { found: [weakness], missed: [] },
  issues: 1,
  threats: [],
  damage: [],
  state: 'COMPLETED',
  seconds: 12.4,
}

it('tells what a run added, changed and removed in a database, without what any use changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-snapshot-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'shop.db')
  const writer = new DatabaseSync(file)
  onTestFinished(() => writer.close())
  writer.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, seen_at INTEGER);
    CREATE TABLE log (line TEXT);
    CREATE TABLE tags (name TEXT, read_at INTEGER);
    CREATE TABLE quiet (id INTEGER PRIMARY KEY, data BLOB);
    INSERT INTO users VALUES (1, 'olga', 1), (2, 'otto', 1);
    INSERT INTO tags VALUES ('new', 1), ('new', 1), ('old', 1);
    INSERT INTO quiet VALUES (1, x'0102');`)
  const database = sqliteDatabase(file)
  const before = await database.snapshot()
  writer.exec(`
    UPDATE users SET name = 'admin', seen_at = 2 WHERE id = 1;
    UPDATE users SET seen_at = 2 WHERE id = 2;
    INSERT INTO log VALUES ('somebody was here');
    INSERT INTO users VALUES (3, 'deleted', 3), (4, 'new', 3);
    DELETE FROM tags WHERE rowid = 1;
    UPDATE tags SET read_at = 2 WHERE name = 'old';
    INSERT INTO tags VALUES ('vigil', 2);`)

  const after = await database.snapshot()
  const changes = changesBetween(
    before,
    after,
    ['log', 'users.seen_at', 'tags.read_at'],
    (name, row) => name === 'users' && row['name'] === 'deleted',
  )

  expect(changes).toEqual([
    {
      ...{ table: 'tags', added: 1, removed: 1, changed: 0, marked: 0 },
      examples: ['removed name=new', 'added name=vigil'],
    },
    {
      ...{ table: 'users', added: 1, removed: 0, changed: 1, marked: 1 },
      examples: ['changed ["1"] name: olga -> admin', 'added id=4 name=new seen_at=3'],
    },
  ])
})

/** Holds the lock of a database until it receives the command to write, and for a moment after that. */
const LOCKING = `
const { DatabaseSync } = require('node:sqlite')
const { parentPort, workerData } = require('node:worker_threads')
const writer = new DatabaseSync(workerData)
writer.exec("BEGIN EXCLUSIVE; INSERT INTO users VALUES ('olga')")
parentPort.once('message', () => setTimeout(() => { writer.exec('COMMIT'); writer.close() }, 200))
parentPort.postMessage('locked')
`

it('waits for an application that still writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-snapshot-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'shop.db')
  const shop = new DatabaseSync(file)
  shop.exec('CREATE TABLE users (name TEXT)')
  shop.close()
  const worker = new Worker(LOCKING, { eval: true, workerData: file })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'message')
  worker.postMessage('write')

  const snapshot = await sqliteDatabase(file).snapshot()

  expect([...snapshot.get('users')!.values()]).toEqual([{ name: 'olga' }])
})

it('compares operations of documents with those of an inventory', () => {
  const routes = operationsOf({
    basePath: '/api/',
    paths: { '/users/{name}': { get: {}, parameters: [] }, '/users/': { post: {} }, '/ping': { head: {} } },
  })
  expect(routes).toEqual(['GET /api/users/{name}', 'POST /api/users/', 'HEAD /api/ping'])
  expect(coverage(routes, ['GET /api/users/STRING', 'POST /api/users', 'GET /other'])).toEqual({
    all: 3,
    seen: 2,
  })
  expect(nameless('GET /v1/users/INTEGER/books/:title?x=1')).toBe('GET /v1/users/{}/books/{}')
})

it('takes patterns by the letter but for their stars', () => {
  expect(fits('SQLI_*_QUERY', 'SQLI_ERROR_QUERY')).toBe(true)
  expect(fits('GET /a.b', 'GET /axb')).toBe(false)
  expect(fits('GET /a', 'GET /a/b')).toBe(false)
})

it('judges by hand first, then by the documentation, and leaves the rest open', () => {
  const target = {
    weaknesses: [weakness],
    judged: [
      { test: 'BOLA_*', at: 'GET /posts/*', verdict: 'false' as const, why: 'Posts are for everybody.' },
    ],
  }
  expect(judged({ ...finding, at: 'GET /posts/{}' }, target)).toMatchObject({
    verdict: 'false',
    why: 'Posts are for everybody.',
  })
  expect(judged(finding, target)).toMatchObject({
    verdict: 'true',
    why: 'documented: basket of another customer',
  })
  expect(judged({ ...finding, test: 'SQLI_UNION' }, target)).toMatchObject({ verdict: 'unjudged' })
  expect(weaknessesIn([finding], [weakness, { ...weakness, at: 'PUT /baskets/{id}' }])).toEqual({
    found: [weakness],
    missed: [{ ...weakness, at: 'PUT /baskets/{id}' }],
  })
  expect(weaknessesIn([finding], [{ ...weakness, at: '*' }]).missed).toEqual([])
})

it('prints one table, sound applications first', () => {
  const sound: Score = {
    ...score,
    target: 'shop-fixed',
    sound: true,
    routes: { all: 0, seen: 0 },
    findings: [
      { ...finding, verdict: 'false', why: '' },
      { ...finding, severity: 'LOW', verdict: 'false', why: '' },
      { ...finding, verdict: 'unjudged', why: '' },
    ],
    weaknesses: { found: [], missed: [] },
    damage: [{ table: 'users', added: 2, removed: 0, changed: 1, marked: 3, examples: [] }],
    state: 'STOPPED',
  }
  expect(table([{ ...score, damage: null }, score, sound])).toBe(
    [
      '| Application | Order | Endpoints | Routes seen | Findings (issues) | True | False (HIGH or above) | Debatable | Unjudged | Weaknesses | Damage | Seconds |',
      '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
      '| shop-fixed (sound; Go, REST) | own-att-adm | 3 | - | 3 (1) | 0 | 2 (1) | 0 | 1 | - | 2 added, 1 changed; 3 marked as deleted | 12 (STOPPED) |',
      '| shop (weak; Go, REST) | own-att-adm | 3 | 3 of 4 | 1 (1) | 1 | 0 (0) | 0 | 0 | 1 of 1 | unknown | 12 |',
      '| shop (weak; Go, REST) | own-att-adm | 3 | 3 of 4 | 1 (1) | 1 | 0 (0) | 0 | 0 | 1 of 1 | none | 12 |',
    ].join('\n'),
  )
})

it('tells what another order of recording finds differently', () => {
  const other: Score = {
    ...score,
    order: ['attacker', 'owner', 'administrator'],
    findings: [{ ...finding, at: 'GET /orders/{}', verdict: 'true', why: '' }],
  }
  expect(differences([score, score])).toEqual([])
  expect(differences([score, other])).toEqual([
    '+ BOLA_READ GET /orders/{} (attacker, owner, administrator)',
    '- BOLA_READ GET /baskets/{} (attacker, owner, administrator)',
  ])
  expect(ordersOf([1, 2, 3])).toHaveLength(6)
})

it('names every application once, and pins what it installs', () => {
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length)
  for (const { source, start } of TARGETS)
    if (start !== undefined) expect(source).toMatch(/@v?\d|==\d|:\d| [0-9a-f]{7,40}$/)
})
