import { describe, expect, it } from 'vitest'
import { type Sent, send, templates, USER } from '../../test/path-trie-fixture.ts'
import { PathTrie } from './path-trie.ts'

const NAMES =
  'rose mark grant alice bob carol dave erin frank grace heidi ivan judy olivia peggy rupert'.split(' ')

/** A small seeded generator: the same numbers on every machine. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const next = seeded(seed)
  return list
    .map((item) => ({ item, order: next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}

/** Users by name and number, static neighbours, two parameters in a row, static resources. */
function mixedTraffic(): Sent[] {
  const sent: Sent[] = []
  const next = seeded(7)
  for (let i = 0; i < 300; i++) {
    const name = NAMES[Math.floor(next() * NAMES.length)]!
    sent.push({ path: `/users/${name}` }, { path: `/users/${name}/orders`, keys: ['order', 'sum'] })
    sent.push({ path: `/projects/${name}/rev-${Math.floor(next() * 40)}/log`, keys: ['lines'] })
    sent.push({ path: `/items/${Math.floor(next() * 900)}`, keys: ['sku'] })
    sent.push({ path: '/users/search', keys: ['hits'] }, { path: '/orders', keys: ['list'] })
    sent.push({ path: '/products', keys: ['list'] })
  }
  return sent
}

describe('PathTrie', () => {
  it('keeps endings of addresses, and finds values before them', () => {
    const trie = send(new PathTrie(), [
      { path: '/v2/report' },
      { path: '/v2/report.json' },
      { path: '/v2/report.xml' },
      ...['4', '5', '77'].map((id) => ({ path: `/v2/reports/${id}.pdf` })),
      ...['4', '5'].map((id) => ({ path: `/v2/reports/${id}` })),
    ])
    expect(
      templates(trie, [
        '/v2/report',
        '/v2/report.json',
        '/v2/report.xml',
        '/v2/reports/9',
        '/v2/reports/9.pdf',
      ]),
    ).toEqual([
      '/v2/report',
      '/v2/report.json',
      '/v2/report.xml',
      '/v2/reports/INTEGER',
      '/v2/reports/INTEGER.pdf',
    ])
    expect(trie.resolve('GET', '/v2/reports/9.pdf')?.params).toEqual([
      { index: 2, type: 'INTEGER', value: '9' },
    ])
    expect(trie.resolve('GET', '/v2/report.csv')).toBeNull()
  })

  it('takes a name with its ending for one value where a stated template says so', () => {
    const files = ['a.pdf', 'b.csv', 'plain'].map((name) => ({ path: `/files/${name}` }))
    for (const isFirst of [true, false]) {
      const trie = new PathTrie()
      if (isFirst) trie.declareRoute('/files/{name}')
      send(trie, files)
      if (!isFirst) trie.declareRoute('/files/{name}')
      trie.evaluate()
      const restored = PathTrie.restore(trie.snapshot())
      for (const one of [trie, restored]) {
        expect(templates(one, ['/files/a.pdf', '/files/b.csv', '/files/new.json'])).toEqual(
          Array(3).fill('/files/STRING'),
        )
        expect(one.resolve('GET', '/files/a.pdf')?.params[0]?.value).toBe('a.pdf')
      }
      trie.declareRoute('/files/{name}.pdf')
      trie.evaluate()
      expect(templates(trie, ['/files/a.pdf', '/files/b.csv'])).toEqual([
        '/files/STRING.pdf',
        '/files/STRING',
      ])
    }
  })

  it('gives the value of a tail as it was observed', () => {
    const trie = new PathTrie()
    trie.declareRoute('/files/{path*}')
    send(trie, [{ path: '/files/a/b.pdf' }])
    expect(trie.resolve('GET', '/files/x/y.pdf')?.params).toEqual([
      { index: 1, type: 'STRING', value: 'x/y.pdf' },
    ])
  })

  it('makes a parameter of one certain value at once, before any evaluation', () => {
    const trie = new PathTrie()
    const found = trie.observe({
      method: 'GET',
      path: '/users/42',
      status: 200,
      mediaType: '',
      keys: [],
      at: 1,
    })
    expect(found).toEqual({
      template: '/users/INTEGER',
      isTemplate: true,
      params: [{ index: 1, type: 'INTEGER', value: '42' }],
    })
  })

  it('folds words only on evidence, and knows new ones from then on', () => {
    const trie = send(
      new PathTrie(),
      NAMES.map((name) => ({ path: `/users/${name}` })),
    )
    expect(templates(trie, ['/users/rose', '/users/somebody-new'])).toEqual([
      '/users/STRING',
      '/users/STRING',
    ])
  })

  it('never folds names of resources with alike answers', () => {
    const paths = ['/api/users', '/api/orders', '/api/products']
    const sent = paths.flatMap((path) =>
      Array.from({ length: 30 }, () => ({ path, keys: ['data', 'error'] })),
    )
    expect(templates(send(new PathTrie(), sent), paths)).toEqual(paths)
  })

  it('gives the most specific endpoint, by method', () => {
    const sent: Sent[] = NAMES.map((name) => ({ path: `/users/${name}` }))
    sent.push(...Array.from({ length: 9 }, () => ({ path: '/users/search', method: 'POST', keys: ['hits'] })))
    const trie = send(new PathTrie(), sent)
    expect(trie.resolve('POST', '/users/search')?.template).toBe('/users/search')
    expect(trie.resolve('GET', '/users/rose')?.template).toBe('/users/STRING')
    expect(trie.resolve('PUT', '/users/rose')?.template).toBe('/users/STRING')
  })

  it('shows STRING where numbers and words mix, FLOAT where all are numbers', () => {
    const mixed = ['8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11', '17'].map((id) => ({ path: `/things/${id}` }))
    expect(templates(send(new PathTrie(), mixed), ['/things/17'])).toEqual(['/things/STRING'])
    const numbers = ['1.55', '17'].map((id) => ({ path: `/prices/${id}` }))
    expect(templates(send(new PathTrie(), numbers), ['/prices/17'])).toEqual(['/prices/FLOAT'])
  })

  it('ends in the same templates whatever the order of arrival', () => {
    const sent = mixedTraffic()
    const paths = [...new Set(sent.map(({ path }) => path))].sort()
    const first = templates(send(new PathTrie(), sent), paths)
    for (let seed = 1; seed <= 6; seed++) {
      expect(templates(send(new PathTrie(), shuffled(sent, seed)), paths)).toEqual(first)
    }
  })

  it('ends in the same templates when two tries exchange what they saw', () => {
    const sent = mixedTraffic()
    const paths = [...new Set(sent.map(({ path }) => path))].sort()
    const whole = templates(send(new PathTrie(), sent), paths)
    const a = send(
      new PathTrie(),
      sent.filter((_, i) => i % 2 === 0),
    )
    const b = send(
      new PathTrie(),
      sent.filter((_, i) => i % 2 === 1),
    )
    const fromA = a.snapshot()
    a.absorb(b.snapshot())
    b.absorb(fromA)
    a.evaluate()
    b.evaluate()
    expect(templates(a, paths)).toEqual(whole)
    expect(templates(b, paths)).toEqual(whole)
  })

  it('reports the endpoints that move', () => {
    const trie = send(
      new PathTrie(),
      NAMES.map((name) => ({ path: `/users/${name}` })),
      false,
    )
    const moves = trie.evaluate()
    expect(moves).toHaveLength(NAMES.length)
    expect(moves[0]).toEqual({ method: 'GET', from: '/users/rose', to: '/users/STRING' })
    expect(trie.evaluate()).toEqual([])
  })

  it('learns nothing from errors on paths that never worked', () => {
    const trie = send(new PathTrie(), [{ path: '/users/rose' }])
    trie.observe({ method: 'GET', path: '/wp-admin', status: 404, mediaType: '', keys: [], at: 1 })
    trie.evaluate()
    expect(trie.resolve('GET', '/users/rose')?.template).toBe('/users/rose')
    expect(
      templates(
        send(
          new PathTrie(),
          NAMES.map((n) => ({ path: `/x/${n}`, status: 500 })),
        ),
        ['/x/rose'],
      ),
    ).toEqual(['/x/rose'])
  })

  it('reads only response keys that describe the resource', () => {
    const trie = new PathTrie()
    const exchange = { method: 'GET', path: '/orders', mediaType: '', at: 1 }
    const unread = {
      get keys(): never {
        throw new Error('read')
      },
    }
    trie.observe(Object.assign(Object.create(unread), { ...exchange, status: 404 }))
    expect(() => trie.observe(Object.assign(Object.create(unread), { ...exchange, status: 200 }))).toThrow(
      'read',
    )
  })

  it('continues as before after a snapshot', () => {
    const sent = mixedTraffic()
    const half = Math.floor(sent.length / 2)
    const trie = send(new PathTrie(), sent.slice(0, half))
    const copy = PathTrie.restore(JSON.parse(JSON.stringify(trie.snapshot())))
    const paths = [...new Set(sent.map(({ path }) => path))]
    expect(templates(copy, paths)).toEqual(templates(trie, paths))
    expect(copy.size.observations).toBe(trie.size.observations)
    expect(send(copy, sent.slice(half)).snapshot()).toEqual(send(trie, sent.slice(half)).snapshot())
  })

  it('evaluates in steps while it keeps observing', () => {
    const trie = send(new PathTrie(), mixedTraffic(), false)
    const steps = trie.evaluateInSteps()
    let at = 0
    while (!steps.next().done) {
      trie.observe({
        method: 'GET',
        path: `/items/late-${at++}`,
        status: 200,
        mediaType: '',
        keys: ['sku'],
        at,
      })
    }
    expect(at).toBeGreaterThan(5)
    expect(templates(trie, ['/users/rose', '/items/7'])).toEqual(['/users/STRING', '/items/INTEGER'])
    expect(trie.resolve('GET', '/items/late-0')).not.toBeNull()
  })
})

describe('what a person says', () => {
  const paths = ['/desk/fox', '/desk/dew', '/desk/sun']
  const start = () =>
    send(
      new PathTrie(),
      paths.map((path, i) => ({ path, keys: [`own${i}`] })),
    )

  it('merges, and splits into what was before', () => {
    const trie = start()
    const before = trie.snapshot()
    expect(templates(trie, paths)).toEqual(paths)
    expect(trie.merge('/desk/STRING')).toHaveLength(3)
    expect(templates(trie, [...paths, '/desk/owl'])).toEqual(Array(4).fill('/desk/STRING'))
    expect(trie.split(null, '/desk/STRING')).toHaveLength(3)
    expect(templates(trie, paths)).toEqual(paths)
    expect(trie.snapshot()).toEqual(before)
  })

  it('splits a learned template permanently, for one method or all', () => {
    const sent = NAMES.flatMap((name) => [
      { path: `/users/${name}` },
      { path: `/users/${name}`, method: 'PUT' },
    ])
    const trie = send(new PathTrie(), sent)
    expect(trie.split('GET', '/users/STRING')).toHaveLength(NAMES.length)
    send(trie, [...sent, { path: '/users/zoe' }, { path: '/users/42' }])
    expect(templates(trie, ['/users/rose', '/users/zoe', '/users/42'])).toEqual([
      '/users/rose',
      '/users/zoe',
      '/users/42',
    ])
    expect(trie.resolve('PUT', '/users/rose')?.template).toBe('/users/STRING')
    trie.merge('/users/STRING')
    expect(templates(trie, ['/users/rose'])).toEqual(['/users/STRING'])
  })

  it('pins a path, even one that is a certain value', () => {
    const trie = send(
      new PathTrie(),
      Array.from({ length: 20 }, (_, i) => ({ path: `/users/${i}` })),
    )
    expect(trie.pinLiteral('/users/7')).toEqual([{ method: 'GET', from: '/users/INTEGER', to: '/users/7' }])
    expect(templates(trie, ['/users/7', '/users/8'])).toEqual(['/users/7', '/users/INTEGER'])
  })

  it('outranks routes, and routes outrank evidence', () => {
    const trie = start()
    trie.declareRoute('/desk/{name}')
    expect(trie.isDirty).toBe(true)
    trie.evaluate()
    expect(templates(trie, paths)).toEqual(Array(3).fill('/desk/STRING'))
    trie.split(null, '/desk/STRING')
    expect(templates(trie, paths)).toEqual(paths)
  })

  it('keeps a static route beside a stated parameter', () => {
    const trie = start()
    trie.declareRoute('/desk/:name')
    trie.declareRoute('/desk/sun')
    trie.evaluate()
    expect(templates(trie, paths)).toEqual(['/desk/STRING', '/desk/STRING', '/desk/sun'])
  })

  it('knows stated routes before they are used', () => {
    const trie = new PathTrie()
    trie.declareRoute('/orders/{id}/items')
    expect(trie.resolve('GET', '/orders/abc/items')?.template).toBe('/orders/STRING/items')
  })

  it('takes the route that a framework reports', () => {
    const trie = new PathTrie()
    for (const [at, name] of ['ann', 'bo'].entries()) {
      const path = `/team/${name}`
      trie.observe({ method: 'GET', path, status: 200, mediaType: '', keys: [], at, route: '/team/:name' })
    }
    trie.evaluate()
    expect(templates(trie, ['/team/ann'])).toEqual(['/team/STRING'])
  })
})

describe('explain', () => {
  it('gives values, evidence and the static neighbours', () => {
    const sent: Sent[] = NAMES.flatMap((name) => [
      { path: `/users/${name}` },
      { path: `/users/${name}/orders` },
    ])
    sent.push(...Array.from({ length: 9 }, () => ({ path: '/users/search', keys: ['hits'] })))
    const explanation = send(new PathTrie(), sent).explain('/users/STRING')
    expect(explanation).toMatchObject({ template: '/users/STRING', decidedBy: 'evidence' })
    const position = explanation!.positions[0]!
    expect(position.distinctValues).toBe(NAMES.length)
    expect(position.examples).toHaveLength(5)
    expect(position.factors.map(({ name }) => name)).toContain('cardinality')
    expect(position.literalSiblings).toEqual([
      expect.objectContaining({ value: 'search', reason: 'reserved' }),
    ])
  })

  it('says who decided, and nothing about templates that are not there', () => {
    const trie = send(new PathTrie(), [{ path: '/desk/fox' }])
    trie.merge('/desk/STRING')
    expect(trie.explain('/desk/STRING')?.decidedBy).toBe('person')
    expect(trie.explain('/nothing/STRING')).toBeNull()
  })
})

describe('bounds', () => {
  it('keeps nodes and observations within the budgets', () => {
    const limits = { maxObservations: 400, maxNodes: 1500, maxLiteralChildren: 32 }
    const trie = new PathTrie(limits)
    const next = seeded(3)
    const word = () =>
      Math.floor(next() * 1e9)
        .toString(36)
        .replace(/\d/g, 'q')
    for (let at = 0; at < 20_000; at++) {
      const depth = 1 + Math.floor(next() * 5)
      const path = `/${Array.from({ length: depth }, word).join('/')}`
      trie.observe({ method: 'GET', path, status: 200, mediaType: '', keys: [], at })
      if (!trie.isDirty) continue
      trie.evaluate()
      expect(trie.size.observations).toBeLessThanOrEqual(400)
      expect(trie.size.nodes).toBeLessThanOrEqual(1500)
    }
  })

  it('asks for nothing of a path that it does not want, until the next evaluation', () => {
    const trie = new PathTrie({ maxPerEndpoint: 4 })
    send(
      trie,
      Array.from({ length: 40 }, (_, i) => ({ path: `/items/${i}` })),
    )
    let reads = 0
    const answer = (path: string) => ({
      ...{ method: 'GET', path, status: 200, mediaType: '', at: 1 },
      get keys() {
        reads++
        return USER
      },
    })
    const paths = Array.from({ length: 200 }, (_, i) => `/items/${100 + i}`)
    const standings = paths.map((path) => {
      expect(trie.observe(answer(path)).template).toBe('/items/INTEGER')
      return trie.standingOf('GET', path)
    })
    const unwanted = standings.filter(({ isRetained }) => !isRetained)
    expect(unwanted.length).toBeGreaterThan(150)
    expect(reads).toBe(200 - unwanted.length)
    reads = 0
    for (const [i, path] of paths.entries()) expect(trie.observeAgain(standings[i]!, answer(path))).toBe(true)
    expect(reads).toBe(200 - unwanted.length)
    trie.evaluate()
    for (const standing of unwanted) expect(trie.observeAgain(standing, answer(paths[0]!))).toBe(false)
  })

  it('holds out against hostile paths', () => {
    const trie = new PathTrie()
    const paths = [
      '/__proto__/constructor',
      '/toString',
      `/${'a/'.repeat(30)}x`,
      `/${'9'.repeat(5000)}`,
      '/%E0%A4%A',
      '/',
    ]
    for (const path of paths)
      trie.observe({ method: '__proto__', path, status: 200, mediaType: '', keys: ['__proto__'], at: 1 })
    trie.evaluate()
    expect(trie.resolve('__proto__', '/__proto__/constructor')?.template).toBe('/__proto__/constructor')
    expect(trie.resolve('GET', '/valueOf/hasOwnProperty/x')).toBeNull()
  })
})
