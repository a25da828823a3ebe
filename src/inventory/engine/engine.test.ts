import { describe, expect, test } from 'vitest'
import { AT, callsByEndpoint, factsOf, ingest, sample, testEngines } from '../../../test/engine-fixture.ts'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Exchange } from '../../http/index.ts'
import { createManualCollection } from '../collections/index.ts'
import { InventoryEngine } from './engine.ts'

const engines = testEngines()

const endpoints = () => callsByEndpoint(engines.store)

const facts = (url: string) => factsOf(engines.store, url)

describe('inventory engine', () => {
  test('a batch becomes a collection, endpoints, parameters, samples and counts', async () => {
    const engine = await engines.open()
    const outcome = await ingest(engine, [
      {
        path: '/v1/orders/77?expand=items',
        body: { id: 77, buyer: { email: 'ann@mail.example' } },
        headers: { authorization: 'Basic YTpi' },
      },
      {
        path: '/v1/orders/78?expand=items',
        body: { id: 78, buyer: { email: 'bob@mail.example' } },
        headers: { authorization: 'Basic YTpi' },
      },
      { method: 'POST', path: '/v1/orders', request: { sku: 'A1' }, body: { id: 79 }, status: 201 },
    ])
    expect(outcome).toEqual({ accepted: 3, duplicates: 0, rejected: [], dropped: {} })
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET /v1/orders/INTEGER': 2, 'POST /v1/orders': 1 })
    const known = await facts('/v1/orders/INTEGER')
    expect(known).toMatchObject({
      'PATH 2 INTEGER_32': 2,
      'QUERY expand GENERIC': 2,
      'RESPONSE_BODY buyer#email EMAIL': 2,
      'RESPONSE_BODY id INTEGER_32': 2,
      'AUTH BASIC 2xx': 2,
      'ACCESS PUBLIC ': 2,
    })
    const { rows } = await engines.store.pool.query(
      `SELECT e.actual_auth_types, e.sensitive_in_response, e.access_types, e.response_codes, c.host_name, c.kind,
         (SELECT count(*) FROM samples s WHERE s.endpoint_id = e.id)::int AS samples,
         (SELECT sum(count) FROM call_minutes s WHERE s.endpoint_id = e.id)::int AS calls
       FROM endpoints e JOIN collections c ON c.id = e.collection_id WHERE e.url = '/v1/orders/INTEGER'`,
    )
    expect(rows[0]).toMatchObject({
      actual_auth_types: ['BASIC'],
      sensitive_in_response: ['EMAIL'],
      access_types: ['PUBLIC'],
      response_codes: [200],
      host_name: 'shop.example',
      kind: 'HOST',
      calls: 2,
    })
    expect(rows[0].samples).toBeGreaterThan(0)
  })

  test('methods that nobody knows are one endpoint, and samples keep them', async () => {
    const engine = await engines.open()
    const calls = ['FOO', 'propfind', 'patch'].map((method) => ({ method, path: '/trace', body: {} }))
    await ingest(engine, calls)
    await engine.flush()
    expect(await endpoints()).toEqual({ 'OTHER /trace': 2, 'PATCH /trace': 1 })
    const { rows } = await engines.store.pool.query(
      `SELECT FROM samples WHERE message::jsonb ->> 'method' = 'FOO'`,
    )
    expect(rows).not.toEqual([])
  })

  test('one bad message never fails its batch', async () => {
    const engine = await engines.open()
    const good = sample({ path: '/a' })
    const bytes = new TextEncoder().encode(
      JSON.stringify([good, 7, { method: 'GET' }, { ...good, path: '/b', requestHeaders: '{}' }]),
    )
    const outcome = await engine.ingest(bytes, { byHost: true }, 'OTHER')
    expect(outcome.accepted).toBe(1)
    expect(outcome.rejected.map((entry) => entry.index)).toEqual([1, 2, 3])
    for (const { reason } of outcome.rejected) expect(reason.length).toBeGreaterThan(10)
  })

  test('a redelivered batch changes no count, equal messages of one batch are separate calls', async () => {
    const engine = await engines.open()
    const batch = [{ path: '/poll' }, { path: '/poll' }, { path: '/poll' }]
    expect(await ingest(engine, batch)).toMatchObject({ accepted: 3, duplicates: 0 })
    expect(await ingest(engine, batch)).toMatchObject({ accepted: 0, duplicates: 3 })
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET /poll': 3 })
  })

  test('a redelivery is recognised after a restart', async () => {
    const first = await engines.open()
    await ingest(first, [{ path: '/poll' }])
    await first.close()
    const second = await engines.open()
    expect(await ingest(second, [{ path: '/poll' }])).toMatchObject({ accepted: 0, duplicates: 1 })
  })

  test('unknown paths that the server refuses are probes, not endpoints', async () => {
    const engine = await engines.open()
    await ingest(engine, [
      { path: '/ok' },
      { path: '/.git/config', status: 404 },
      { path: '/ok', status: 404, at: AT + 1 },
    ])
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET /ok': 2 })
    const { rows } = await engines.store.pool.query('SELECT path, status, count FROM probes')
    expect(rows).toEqual([{ path: '/.git/config', status: 404, count: 1 }])
  })

  test('every message ends in one outcome of the ledger', async () => {
    const engine = await engines.open()
    const batch = [
      { path: '/a' },
      { path: '/a' },
      { path: '/x', status: 404 },
      { method: 'OPTIONS', path: '/a' },
    ]
    await ingest(engine, batch)
    await ingest(engine, batch)
    await engine.flush()
    const { rows } = await engines.store.pool.query(
      'SELECT outcome, sum(count)::int AS count FROM traffic_ledger GROUP BY 1 ORDER BY 1',
    )
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(8)
    expect(Object.fromEntries(rows.map((row) => [row.outcome, row.count]))).toMatchObject({
      accepted: 2,
      duplicate: 4,
    })
  })

  test('the same messages in another order and other batches give the same inventory', {
    tags: ['marathon'],
  }, async () => {
    const names = [
      'rose',
      'mark',
      'grant',
      'penny',
      'frank',
      'olive',
      'dale',
      'ruby',
      'clay',
      'ivy',
      'gene',
      'iris',
    ]
    const messages = [
      ...names.flatMap((name, i) => [
        { path: `/users/${name}`, body: { name, age: i }, at: AT + i },
        { path: `/users/${name}/orders`, body: [{ id: i }], at: AT + i },
      ]),
      ...names.map((_, i) => ({ path: `/items/${i + 1}`, body: { sku: `S${i}` }, at: AT + i })),
    ]
    const results: unknown[] = []
    for (const order of [messages, [...messages].reverse()]) {
      const opened = await openTestStore()
      const own = await InventoryEngine.open(opened.store)
      for (let i = 0; i < order.length; i += 5) await ingest(own, order.slice(i, i + 5))
      await own.observe([], { byHost: true })
      await own.flush()
      const { rows } = await opened.store.pool.query(
        `SELECT method, url, call_count FROM endpoints WHERE root_id = id ORDER BY 1, 2`,
      )
      results.push(rows)
      await own.close()
      await opened.close()
    }
    expect(results[0]).toEqual(results[1])
    expect(results[0]).toContainEqual({ method: 'GET', url: '/items/INTEGER', call_count: 12 })
  })

  test('equal messages in several slices of one import are separate calls, and none when it is repeated', async () => {
    const engine = await engines.open()
    const collection = await createManualCollection(engines.store.pool, 'slices', AT)
    const place = { collectionId: collection.id }
    const equal = () => exchange('https://h.example/poll', { id: 1 }, AT)
    for (const importId of ['first', 'second']) {
      const slices = [
        await engine.observe([equal(), equal()], place, importId),
        await engine.observe([equal()], place, importId),
      ]
      const taken = slices.map((slice) => slice.taken)
      expect(taken).toEqual(importId === 'first' ? [2, 1] : [0, 0])
    }
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET https://h.example/poll': 3 })
  })

  test('a split after a merge restores endpoints, parameters and samples', async () => {
    const engine = await engines.open()
    const collection = await createManualCollection(engines.store.pool, 'split', AT)
    const exchanges = ['rose', 'mark'].map((name, i) =>
      exchange(`https://h.example/people/${name}`, { name }, AT + i),
    )
    await engine.observe(exchanges, { collectionId: collection.id })
    await engine.flush()
    const before = await snapshot(collection.id)
    const merged = await engine.decide({
      kind: 'MERGE',
      collectionId: collection.id,
      template: 'https://h.example/people/STRING',
      decidedBy: 'ann@mail.example',
    })
    expect(merged).toHaveLength(2)
    expect(await endpoints()).toEqual({ 'GET https://h.example/people/STRING': 2 })
    expect(await facts('https://h.example/people/STRING')).toMatchObject({ 'RESPONSE_BODY name GENERIC': 2 })
    await engine.decide({
      kind: 'SPLIT',
      collectionId: collection.id,
      method: 'GET',
      url: 'https://h.example/people/STRING',
      decidedBy: 'ann@mail.example',
    })
    expect(await snapshot(collection.id)).toEqual(before)
  })

  test('a template that cannot be written costs no waiting batch its answer, and is written later', async () => {
    const engine = await engines.open()
    const troubles: unknown[] = []
    engine.onTrouble = (error) => troubles.push(error)
    await engines.store.pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN PERFORM pg_sleep(0.2); RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END$$`)
    await engines.store.pool.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON template_moves FOR EACH ROW EXECUTE FUNCTION refuse()',
    )
    const words = (first: number) =>
      Array.from({ length: 40 }, (_, i) => ({ path: `/stock/w${(first + i).toString(36)}z/count` }))
    await ingest(engine, words(1))
    // The moves of the first batch are being written, and refused, while this one arrives.
    expect(await ingest(engine, words(41))).toMatchObject({ accepted: 40 })
    await expect.poll(() => troubles).not.toEqual([])
    await engines.store.pool.query('DROP TRIGGER refuse ON template_moves')
    await ingest(engine, words(81))
    await expect.poll(async () => Object.keys(await endpoints())).toEqual(['GET /stock/STRING/count'])
    await engine.close()
    await engines.open()
    expect(await endpoints()).toEqual({ 'GET /stock/STRING/count': 120 })
  })

  test('a decision that the store refuses takes effect when it is made again', async () => {
    const engine = await engines.open()
    const { pool } = engines.store
    await ingest(engine, [{ path: '/people/rose' }, { path: '/people/mark' }])
    await pool.query(
      `ALTER TABLE template_moves ADD CONSTRAINT refuses_rose CHECK (from_url <> '/people/rose')`,
    )
    const { rows } = await pool.query<{ id: number }>("SELECT id FROM collections WHERE kind = 'HOST'")
    const merge = () =>
      engine.decide({
        kind: 'MERGE',
        collectionId: rows[0]!.id,
        template: '/people/STRING',
        decidedBy: 'ann',
      })
    await expect(merge()).rejects.toThrow('refuses_rose')
    await pool.query('ALTER TABLE template_moves DROP CONSTRAINT refuses_rose')
    await merge()
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET /people/STRING': 2 })
  })

  test('a message that cannot be learned because of an internal error is reported, and does not affect the others', async () => {
    const engine = await engines.open()
    const troubles: unknown[] = []
    engine.onTrouble = (error) => troubles.push(error)
    // Named, so that nothing of it is read for its hash.
    const faulty = { ...exchange('https://h.example/faulty', { id: 1 }, AT), messageId: 'faulty' }
    Object.defineProperty(faulty.response, 'headers', {
      get: () => {
        throw new Error('a fault of the test')
      },
    })
    const sound = (id: number) => exchange('https://h.example/sound', { id }, AT)
    const collection = await createManualCollection(engines.store.pool, 'faults', AT)
    const outcome = await engine.observe([sound(1), faulty, sound(2)], { collectionId: collection.id })
    expect(outcome.outcomes.map(({ taken }) => taken)).toEqual([true, false, true])
    expect(troubles).toMatchObject([{ message: 'a fault of the test' }])
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET https://h.example/sound': 2 })
  })

  test('splitting what was a parameter from the first request makes endpoints with their calls', async () => {
    const engine = await engines.open()
    const collection = await createManualCollection(engines.store.pool, 'strong', AT)
    const exchanges = [7, 8, 8].map((id, i) => exchange(`https://h.example/orders/${id}`, { id }, AT + i))
    await engine.observe(exchanges, { collectionId: collection.id })
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET https://h.example/orders/INTEGER': 3 })
    await engine.decide({
      kind: 'SPLIT',
      collectionId: collection.id,
      method: 'GET',
      url: 'https://h.example/orders/INTEGER',
      decidedBy: 'ann@mail.example',
    })
    expect(await endpoints()).toEqual({
      'GET https://h.example/orders/7': 1,
      'GET https://h.example/orders/8': 2,
    })
  })

  test('a redacted collection keeps names and shapes, and no values', async () => {
    const engine = await engines.open()
    const collection = await createManualCollection(engines.store.pool, 'quiet', AT)
    await engines.store.pool.query('UPDATE collections SET is_redacted = true')
    const secret = 'secret-7c1f'
    await engine.observe(
      [exchange(`https://h.example/a?q=${secret}`, { note: secret }, AT, { 'x-key': secret })],
      {
        collectionId: collection.id,
      },
    )
    const { rows } = await engines.store.pool.query<{ text: string }>(
      `SELECT message AS text FROM samples UNION ALL SELECT detail::text FROM endpoint_facts WHERE detail IS NOT NULL`,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row.text).not.toContain(secret)
    expect(rows.some((row) => row.text.includes('note'))).toBe(true)
  })

  test('a document makes documented endpoints without calls, which traffic then joins', async () => {
    const engine = await engines.open()
    const collection = await createManualCollection(engines.store.pool, 'documented', AT)
    await engine.declare(
      [{ method: 'GET', path: 'https://h.example/pets/{name}', detail: {} }],
      collection.id,
      '000000000000000000000001',
    )
    expect(await endpoints()).toEqual({ 'GET https://h.example/pets/STRING': 0 })
    await engine.observe([exchange('https://h.example/pets/rex', { name: 'rex' }, AT)], {
      collectionId: collection.id,
    })
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET https://h.example/pets/STRING': 1 })
  })

  test('a document is kept although no store holds all of its texts', async () => {
    const engine = await engines.open()
    const collection = await createManualCollection(engines.store.pool, 'broken texts', AT)
    const keys = ['a\0', 'a\ufffd', '\ud800'].map((key) => ({ key, type: 'string', format: '' }))
    const operation = {
      method: 'GET',
      path: 'https://h.example/pets',
      responses: [{ status: '200', keys }],
      detail: { 'note\0': ['\udfff', '\\u0000', '\u{1f600}'] },
    }
    const { created } = await engine.declare([operation], collection.id, '000000000000000000000001')
    expect(created).toBe(1)
    const { rows } = await engines.store.pool.query<{ operation: Record<string, unknown> }>(
      'SELECT operation FROM documented_operations',
    )
    expect(rows[0]!.operation['note\ufffd']).toEqual(['\ufffd', '\\u0000', '\u{1f600}'])
  })
})

function exchange(target: string, body: unknown, at: number, headers: Record<string, string> = {}): Exchange {
  return {
    request: {
      method: 'GET',
      target,
      version: 'HTTP/1.1',
      headers: Object.entries(headers).flat(),
      body: '',
    },
    response: {
      status: 200,
      reason: 'OK',
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(body),
    },
    at,
    clientIp: '203.0.113.9',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

/** Everything a person can see of a collection's endpoints. */
async function snapshot(collectionId: number): Promise<unknown> {
  const { rows } = await engines.store.pool.query(
    `SELECT e.method, e.url, e.call_count, e.first_seen, e.last_seen, e.response_codes, e.auth_combinations,
       (SELECT jsonb_agg(to_jsonb(f) - 'id' ORDER BY f.kind, f.name, f.value_type) FROM endpoint_facts f
        WHERE f.endpoint_id = e.id) AS facts,
       (SELECT jsonb_agg(s.message ORDER BY s.slot) FROM samples s WHERE s.endpoint_id = e.id) AS samples
     FROM endpoints e WHERE e.collection_id = $1 AND e.root_id = e.id ORDER BY e.url`,
    [collectionId],
  )
  return rows
}
