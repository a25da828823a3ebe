import { normalisePath, PathTrie, type Resolution } from '../../src/inventory/path-templates/index.ts'
import { Random } from './random.ts'
import {
  ADJECTIVES,
  CATEGORIES,
  COMPANIES,
  COUNTRIES,
  CURRENCIES,
  FIRST_NAMES,
  LOCALES,
  NOUNS,
  TECH_WORDS,
} from './words.ts'

/** One hand-made situation: what is sent, and what must come out. */
export interface AdversarialCase {
  /** Class of the situation. */
  kind: string
  name: string
  send: readonly Sent[]
  /** Path (GET unless a method stands before) → template that it must have. */
  expect: Readonly<Record<string, string>>
  /** At most so many templates in all. */
  maxTemplates?: number
}

/** Path, how often, key names of the answer. */
export interface Sent {
  method?: string
  path: string
  times?: number
  keys?: readonly string[]
}

const USER = ['id', 'name', 'email', 'createdAt']
const ITEM = ['sku', 'title', 'price', 'stock']
const LIST = ['data', 'data#$#id', 'total']
const REPORT = ['period', 'revenue', 'chart#$#x']
const DONE = ['status', 'message']

function spread(
  prefix: string,
  values: readonly string[],
  suffix: string,
  keys: readonly string[],
  times = 3,
): Sent[] {
  return values.map((value, i) => ({
    path: `${prefix}/${value}${suffix}`,
    keys,
    times: 1 + ((i * 7) % times),
  }))
}

function all(paths: readonly string[], template: string): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, template]))
}

function self(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, path]))
}

function slugs(count: number, seed: number): string[] {
  const random = new Random(seed)
  const made = new Set<string>()
  while (made.size < count) {
    made.add(
      [
        'how-we',
        random.pick(['scaled', 'built', 'broke', 'fixed']),
        random.pick(ADJECTIVES),
        random.pick(NOUNS),
      ].join('-'),
    )
  }
  return [...made]
}

function numbers(count: number, from = 100): string[] {
  return Array.from({ length: count }, (_, i) => String(from + i * 37))
}

function ordinaryWords(): AdversarialCase[] {
  const sets: [string, string, readonly string[], string][] = [
    ['users', '/users', FIRST_NAMES.slice(0, 24), ''],
    ['pets', '/api/pets', NOUNS.slice(60, 84), ''],
    ['people/profile', '/v1/people', FIRST_NAMES.slice(20, 50), '/profile'],
    ['categories', '/shop/categories', CATEGORIES.slice(0, 20), '/items'],
    ['colours', '/api/v2/themes', ADJECTIVES.slice(30, 60), ''],
    ['towns', '/forecasts', NOUNS.slice(0, 30), '/hourly'],
  ]
  return sets.map(([name, prefix, values, suffix]) => ({
    kind: '1 values that are words',
    name,
    send: [...spread(prefix, values, suffix, USER), { path: prefix, keys: LIST, times: 20 }],
    expect: {
      ...all(
        [`${prefix}/${values[0]}${suffix}`, `${prefix}/${values.at(-1)}${suffix}`],
        `${prefix}/STRING${suffix}`,
      ),
      [prefix]: prefix,
    },
  }))
}

function slugPages(): AdversarialCase[] {
  return ['/blog', '/api/articles', '/news/stories', '/v3/posts', '/help/guides', '/cms/pages'].map(
    (prefix, i) => {
      const values = slugs(i % 2 === 0 ? 500 : 40, i)
      return {
        kind: '2 slugs',
        name: prefix,
        send: [...spread(prefix, values, '', ITEM, 2), { path: prefix, keys: LIST, times: 30 }],
        expect: all(
          values.slice(0, 5).map((value) => `${prefix}/${value}`),
          `${prefix}/STRING`,
        ),
      }
    },
  )
}

function twoInARow(): AdversarialCase[] {
  const sets: [string, readonly string[], readonly string[], readonly string[]][] = [
    ['/repos', FIRST_NAMES, TECH_WORDS, ['issues', 'pulls', 'branches']],
    ['/tenants', COMPANIES, NOUNS, ['members', 'invoices']],
    ['/registry', NOUNS, TECH_WORDS, ['tags', 'manifests']],
    ['/shops', ADJECTIVES, CATEGORIES, ['items', 'offers']],
    ['/v1/projects', TECH_WORDS, ADJECTIVES, ['builds', 'logs', 'artifacts']],
  ]
  return sets.map(([prefix, firsts, seconds, tails], n) => {
    const random = new Random(n)
    const send: Sent[] = []
    for (let i = 0; i < 400; i++) {
      const tail = random.pick(tails)
      send.push({
        path: `${prefix}/${random.pick(firsts)}/${random.pick(seconds)}/${tail}`,
        keys: [`${tail}_id`, `${tail}_at`, 'url'],
      })
    }
    return {
      kind: '3 two parameters in a row',
      name: prefix,
      send,
      expect: all([send[0]!.path], `${prefix}/STRING/STRING/${send[0]!.path.split('/').at(-1)}`),
      maxTemplates: tails.length,
    }
  })
}

function numberedNames(): AdversarialCase[] {
  const sets: readonly (readonly string[])[] = [
    ['/report2024q1', '/report2024q2'],
    ['/reports/fy2023', '/reports/fy2024'],
    ['/export/format1', '/export/format2'],
    ['/stats/top10', '/stats/last24h'],
    ['/forms/w2form', '/forms/i9form'],
  ]
  return sets.map(([a, b]) => ({
    kind: '4 numbered names with unlike answers',
    name: a!,
    send: [
      { path: a!, times: 30, keys: REPORT },
      { path: b!, times: 30, keys: ['rows#$#cell', 'header', 'footer'] },
    ],
    expect: self([a!, b!]),
  }))
}

function oddNames(): AdversarialCase[] {
  return ['oauth2tokens123', 'webhooks2', 'k8sclusters', 'ec2instances', 'b2bpartners4'].map((odd) => ({
    kind: '5 odd static names',
    name: odd,
    send: [
      { path: `/${odd}`, times: 20, keys: DONE },
      { path: '/users', times: 20, keys: LIST },
      { path: '/orders', times: 20, keys: ['orders#$#no', 'page'] },
    ],
    expect: self([`/${odd}`, '/users', '/orders']),
  }))
}

function reserved(): AdversarialCase[] {
  return ['me', 'self', 'search', 'self42', 'export', 'current', 'whoami', 'count'].map((word, i) => ({
    kind: '6 reserved siblings',
    name: word,
    send: [
      ...spread('/users', numbers(30), '', USER),
      { path: `/users/${word}`, times: 25, keys: i % 2 === 0 ? USER : LIST },
    ],
    expect: { ...self([`/users/${word}`]), '/users/100': '/users/INTEGER' },
  }))
}

function versions(): AdversarialCase[] {
  const pairs: [string, string][] = [
    ['/api/v1/orders', '/api/v2/orders'],
    ['/v1/users', '/v2/users'],
    ['/v1beta1/jobs', '/v1/jobs'],
    ['/rest/api/2/issue', '/rest/api/3/issue'],
    ['/2010-04-01/Accounts', '/2022-11-01/Accounts'],
  ]
  return pairs.map(([a, b]) => ({
    kind: '7 versions',
    name: a,
    send: [
      { path: a, times: 40, keys: USER },
      { path: b, times: 40, keys: [...USER, 'links'] },
    ],
    expect: self([a, b]),
  }))
}

function catchAll(): AdversarialCase[] {
  return [1, 2, 3, 4, 5].map((seed) => {
    const random = new Random(seed)
    const send: Sent[] = [
      ...spread('/api/users', numbers(20), '', USER),
      { path: '/api/users', times: 40, keys: LIST },
      { path: '/api/orders', times: 40, keys: ['orders#$#no', 'page'] },
      ...spread('/api/orders', numbers(20), '/items', ITEM),
    ]
    for (let i = 0; i < 2000; i++) {
      const depth = random.integer(1, 3)
      const words = Array.from(
        { length: depth },
        () =>
          random.pick(random.chance(0.5) ? NOUNS : TECH_WORDS) +
          (random.chance(0.4) ? random.integer(1, 99) : ''),
      )
      send.push({ path: `/${words.join('/')}`, keys: [] })
    }
    return {
      kind: '8 an application that answers 200 to all',
      name: `seed ${seed}`,
      send: new Random(seed).shuffle(send),
      expect: {
        ...self(['/api/users', '/api/orders']),
        '/api/users/100': '/api/users/INTEGER',
        '/api/orders/100/items': '/api/orders/INTEGER/items',
      },
      maxTemplates: 40,
    }
  })
}

function tails(): AdversarialCase[] {
  return ['/files', '/api/download', '/storage/objects', '/v1/raw', '/docs/tree'].map((prefix, seed) => {
    const random = new Random(seed)
    const send: Sent[] = [
      { path: '/api/users', times: 30, keys: LIST },
      ...spread('/api/users', numbers(10), '', USER),
    ]
    for (let i = 0; i < 120; i++) {
      const folders = Array.from({ length: random.integer(0, 4) }, () => random.pick(NOUNS))
      send.push({
        path: [prefix, ...folders, `${random.pick(TECH_WORDS)}${i}.txt`].join('/'),
        keys: ['content'],
      })
    }
    return {
      kind: '9 path tails',
      name: prefix,
      send,
      expect: all(
        [`${prefix}/a/b/c.txt`, `${prefix}/x.txt`, `${prefix}/one/two/three/four.png`],
        `${prefix}/STRING`,
      ),
    }
  })
}

function spellings(): AdversarialCase[] {
  const pairs: [string, string][] = [
    ['/search;lang=en', '/search'],
    ['/%6Frders', '/orders'],
    ['/orders/', '/orders'],
    ['//orders//list', '/orders/list'],
    ['/a/../orders', '/orders'],
    ['/orders.json', '/orders'],
    ['https://shop.example/orders?x=1', '/orders'],
  ]
  return pairs.map(([odd, plain]) => ({
    kind: '10 spellings',
    name: odd,
    send: [
      { path: odd, times: 3, keys: LIST },
      { path: plain, times: 3, keys: LIST },
    ],
    expect: { [odd]: plain },
    maxTemplates: 1,
  }))
}

function locales(): AdversarialCase[] {
  const sets: [string, readonly string[], string][] = [
    ['', LOCALES.slice(0, 2), '/products'],
    ['', LOCALES.slice(0, 8), '/products'],
    ['', ['en', 'de', 'fr', 'es'], '/articles'],
    ['/content', LOCALES.slice(3, 9), '/pages'],
    ['/api', ['en_US', 'de_DE', 'fr_FR'], '/catalog'],
  ]
  return sets.map(([prefix, values, suffix]) => ({
    kind: '11 locales',
    name: `${prefix}/${values[0]}${suffix} of ${values.length}`,
    send: [
      ...values.flatMap((value) => [
        { path: `${prefix}/${value}${suffix}`, times: 20, keys: LIST },
        { path: `${prefix}/${value}${suffix}/17`, times: 9, keys: ITEM },
      ]),
      { path: `${prefix}/health`, times: 9, keys: DONE },
      { path: `${prefix}/assets`, times: 9, keys: ['files#$#name', 'size'] },
    ],
    expect: {
      ...all(
        [`${prefix}/${values[0]}${suffix}`, `${prefix}/${values[1]}${suffix}`],
        `${prefix}/STRING${suffix}`,
      ),
      ...self([`${prefix}/health`]),
    },
  }))
}

function dates(): AdversarialCase[] {
  const sets: [string, string][] = [
    ['/2026/01/31/post', '/INTEGER/INTEGER/INTEGER/post'],
    ['/archive/2025-12-24', '/archive/STRING'],
    ['/rates/2024-02-29/EUR', '/rates/STRING/EUR'],
    ['/log/2026/07', '/log/INTEGER/INTEGER'],
    ['/slots/2026-01-31T10:00:00Z', '/slots/STRING'],
  ]
  return sets.map(([path, template]) => ({
    kind: '12 dates',
    name: path,
    send: [
      { path, keys: ITEM },
      { path: '/health', keys: DONE },
    ],
    expect: { [path]: template, '/health': '/health' },
  }))
}

function staticNeighbour(): AdversarialCase[] {
  const sets: [string, readonly string[], string][] = [
    ['/pools', slugs(40, 9), 'retiring'],
    ['/pools', numbers(40), 'retiring'],
    ['/users', FIRST_NAMES.slice(0, 30), 'invitations'],
    ['/items', Array.from({ length: 30 }, (_, i) => `sku-${i}x${i * 3}`), 'bestsellers'],
    ['/devices', Array.from({ length: 30 }, (_, i) => `dev${i}a${i * 7}`), 'offline'],
  ]
  return sets.map(([prefix, values, word]) => ({
    kind: '13 a static neighbour of values',
    name: `${prefix}/${word}`,
    send: [
      ...spread(prefix, values, '', USER),
      ...spread(prefix, values.slice(0, 20), '/history', REPORT),
      { path: `${prefix}/${word}`, times: 40, keys: LIST },
    ],
    expect: self([`${prefix}/${word}`]),
  }))
}

function twins(): AdversarialCase[] {
  const pairs: [string, string][] = [
    ['registry', 'registries'],
    ['droplets', 'volumes'],
    ['secrets', 'variables'],
    ['invoices', 'receipts'],
    ['agents', 'runners'],
  ]
  return pairs.map(([a, b]) => ({
    kind: '14 few twins with equal subtrees',
    name: `${a}, ${b}`,
    send: [a, b].flatMap((word) => [
      { path: `/v2/${word}`, times: 30, keys: LIST },
      ...spread(`/v2/${word}`, numbers(12), '', USER),
      ...spread(`/v2/${word}`, numbers(12), '/tags', ITEM),
      ...spread(`/v2/${word}`, numbers(12), '/actions', REPORT),
    ]),
    expect: {
      ...self([`/v2/${a}`, `/v2/${b}`]),
      [`/v2/${a}/100`]: `/v2/${a}/INTEGER`,
      [`/v2/${b}/100/tags`]: `/v2/${b}/INTEGER/tags`,
    },
  }))
}

function resources(): AdversarialCase[] {
  const envelope = ['success', 'data', 'error']
  const sets: readonly (readonly string[])[] = [
    ['users', 'orders', 'products'],
    [
      'users',
      'orders',
      'products',
      'invoices',
      'payments',
      'carts',
      'reviews',
      'coupons',
      'shipments',
      'returns',
    ],
    ['customer', 'address', 'country', 'currency', 'category', 'store', 'product', 'order'],
    [
      'Users',
      'Orders',
      'BasketItems',
      'SecurityQuestions',
      'PrivacyRequests',
      'Recycles',
      'Feedbacks',
      'Challenges',
    ],
    ['login', 'logout', 'register', 'refresh', 'verify', 'forgot-password'],
    'accounts cards loans transfers beneficiaries statements mandates deposits branches atms rates limits disputes rewards alerts documents'.split(
      ' ',
    ),
  ]
  return sets.flatMap((words) =>
    ['/api', '/rest', '/v1', '/admin/api', ''].map((prefix) => ({
      kind: 'resource names with alike answers',
      name: `${prefix}: ${words.length} like ${words[0]}`,
      send: words.flatMap((word, i) => [
        { path: `${prefix}/${word}`, times: 10 + i, keys: envelope },
        { method: 'POST', path: `${prefix}/${word}`, times: 5, keys: envelope },
        ...spread(`${prefix}/${word}`, numbers(6), '', envelope),
      ]),
      expect: self(words.map((word) => `${prefix}/${word}`)),
    })),
  )
}

function shop(): AdversarialCase[] {
  return [1, 2, 3, 4, 5].map((seed) => {
    const send: Sent[] = [
      { path: '/rest/products/search', times: 20, keys: LIST },
      { method: 'PATCH', path: '/rest/products/reviews', times: seed, keys: DONE },
      { method: 'POST', path: '/rest/products/reviews', times: 4, keys: DONE },
      ...spread('/rest/products', numbers(seed * 2, 1), '/reviews', ['data#$#message', 'data#$#author']),
      ...spread('/rest/basket', numbers(seed, 1), '', ['data', 'data#Products']),
    ]
    return {
      kind: 'static words beside a parameter with the same word below',
      name: `seed ${seed}`,
      send: new Random(seed).shuffle(send),
      expect: {
        '/rest/products/search': '/rest/products/search',
        'PATCH /rest/products/reviews': '/rest/products/reviews',
        'POST /rest/products/reviews': '/rest/products/reviews',
        '/rest/products/1/reviews': '/rest/products/INTEGER/reviews',
        '/rest/basket/1': '/rest/basket/INTEGER',
      },
    }
  })
}

function certainTokens(): AdversarialCase[] {
  const tokens: [string, string][] = [
    ['42', 'INTEGER'],
    ['19.99', 'FLOAT'],
    ['507f1f77bcf86cd799439011', 'OBJECT_ID'],
    ['8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11', 'STRING'],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'STRING'],
    ['2f7a9c0be1d44c6f8a1b2c3d4e5f6071', 'STRING'],
    ['2026-01-31', 'STRING'],
    ['ann.lee@shop.example', 'STRING'],
    ['ann.lee%40shop.example', 'STRING'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'STRING'],
    ['203.0.113.9', 'STRING'],
  ]
  return tokens.map(([token, type]) => ({
    kind: 'one request with a certain value',
    name: token,
    send: [{ path: `/things/${token}`, keys: ITEM }],
    expect: { [`/things/${token}`]: `/things/${type}` },
  }))
}

function codes(): AdversarialCase[] {
  const sets: [string, readonly string[]][] = [
    ['/quotes', 'AAPL MSFT GOOG AMZN TSLA META NVDA NFLX INTC AMD ORCL IBM'.split(' ')],
    ['/rates', CURRENCIES],
    ['/countries', COUNTRIES],
    ['/airports', 'LHR CDG FRA AMS MAD FCO ZRH VIE CPH OSL ARN HEL'.split(' ')],
    ['/coupons', Array.from({ length: 15 }, (_, i) => `SAVE${i}NOW${i * 3}`)],
  ]
  return sets.map(([prefix, values]) => ({
    kind: 'codes',
    name: prefix,
    send: [...spread(prefix, values, '', ITEM, 6), { path: prefix, keys: LIST, times: 20 }],
    expect: all([`${prefix}/${values[0]}`, `${prefix}/${values.at(-1)}`], `${prefix}/STRING`),
  }))
}

function wordsOfTypes(): AdversarialCase[] {
  return ['STRING', 'INTEGER', 'OBJECT_ID', 'FLOAT', 'STRING_TABLE'].map((word) => ({
    kind: 'literal text that is a type word',
    name: word,
    send: [
      { path: `/api/${word}`, times: 20, keys: DONE },
      { path: '/api/users', times: 20, keys: LIST },
    ],
    expect: { '/api/users': '/api/users' },
    maxTemplates: 2,
  }))
}

function typedSiblings(): AdversarialCase[] {
  return ['/items', '/api/v1/articles', '/tickets', '/events', '/offers'].map((prefix, i) => ({
    kind: 'siblings that differ by type',
    name: prefix,
    send: [...spread(prefix, numbers(30), '', USER), ...spread(prefix, slugs(30, i), '', REPORT)],
    expect: { [`${prefix}/100`]: `${prefix}/INTEGER`, [`${prefix}/${slugs(30, i)[3]}`]: `${prefix}/STRING` },
  }))
}

/** All cases; every class has at least five variations. */
export function adversarialCases(): AdversarialCase[] {
  return [
    ...ordinaryWords(),
    ...slugPages(),
    ...twoInARow(),
    ...numberedNames(),
    ...oddNames(),
    ...reserved(),
    ...versions(),
    ...catchAll(),
    ...tails(),
    ...spellings(),
    ...locales(),
    ...dates(),
    ...staticNeighbour(),
    ...twins(),
    ...resources(),
    ...shop(),
    ...certainTokens(),
    ...codes(),
    ...wordsOfTypes(),
    ...typedSiblings(),
  ]
}

/** Plays one case; the list of what is wrong, empty when it passes. */
export function playCase(one: AdversarialCase): string[] {
  const trie = new PathTrie()
  let at = 1_700_000_000
  for (const { method = 'GET', path, times = 1, keys = [] } of one.send) {
    for (let i = 0; i < times; i++) {
      trie.observe({
        method,
        path: normalisePath(path).path,
        status: 200,
        mediaType: 'application/json',
        keys,
        at: at++,
      })
      if (trie.isDirty) trie.evaluate()
    }
  }
  trie.evaluate()
  const wrong: string[] = []
  for (const [key, template] of Object.entries(one.expect)) {
    const space = key.indexOf(' ')
    const method = space < 0 ? 'GET' : key.slice(0, space)
    const path = normalisePath(key.slice(space + 1)).path
    const found = trie.resolve(method, path)?.template
    if (found !== template) wrong.push(`${key} is ${found ?? 'unknown'} instead of ${template}`)
  }
  if (one.maxTemplates !== undefined) {
    const templates = new Set(
      one.send.map(({ method = 'GET', path }) => describe(trie.resolve(method, normalisePath(path).path))),
    )
    if (templates.size > one.maxTemplates)
      wrong.push(`${templates.size} templates instead of at most ${one.maxTemplates}`)
  }
  return wrong
}

function describe(resolution: Resolution | null): string {
  return resolution?.template ?? 'unknown'
}

/**
 * Case 15: what a person merges and splits again is as before, retained observations included. Returns what is wrong.
 */
export function playMergeAndSplit(seed: number): string[] {
  const trie = new PathTrie()
  const random = new Random(seed)
  const paths = Array.from(
    { length: 3 + seed },
    (_, i) => `/desk${seed}/${NOUNS[(seed * 11 + i) % NOUNS.length]}`,
  )
  for (const [i, path] of random.shuffle([...paths]).entries()) {
    trie.observe({
      method: 'GET',
      path,
      status: 200,
      mediaType: 'application/json',
      keys: seed % 2 === 0 ? USER : [`own${i}`],
      at: 1,
    })
  }
  trie.evaluate()
  const before = paths.map((path) => describe(trie.resolve('GET', path)))
  const observations = JSON.stringify(
    trie
      .snapshot()
      .observations.map(({ method, path, count }) => [method, path, count])
      .sort(),
  )
  const merged = trie.merge(`/desk${seed}/STRING`)
  const wrong: string[] = []
  if (paths.some((path) => describe(trie.resolve('GET', path)) !== `/desk${seed}/STRING`))
    wrong.push('not merged')
  const split = trie.split(null, `/desk${seed}/STRING`)
  const after = paths.map((path) => describe(trie.resolve('GET', path)))
  if (after.join() !== before.join()) wrong.push(`after split: ${after.join()} instead of ${before.join()}`)
  if (merged.length !== split.length) wrong.push(`${merged.length} moves forth and ${split.length} back`)
  const left = JSON.stringify(
    trie
      .snapshot()
      .observations.map(({ method, path, count }) => [method, path, count])
      .sort(),
  )
  if (left !== observations) wrong.push('observations were lost')
  return wrong
}
