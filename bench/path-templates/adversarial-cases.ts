import {
  type AdversarialCase,
  all,
  DONE,
  ITEM,
  LIST,
  numbers,
  REPORT,
  type Sent,
  self,
  slugs,
  spread,
  USER,
} from './adversarial-case.ts'
import { namesAndValues } from './adversarial-names.ts'
import { partsOfSegments } from './adversarial-parts.ts'
import { Random } from './random.ts'
import { ADJECTIVES, CATEGORIES, COMPANIES, FIRST_NAMES, LOCALES, NOUNS, TECH_WORDS } from './words.ts'

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
    ['/books.api/2.0/Accounts', '/books.api/2.1/Accounts'],
    ['/webapi/1.0/tasks', '/webapi/1.1/tasks'],
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
    ...namesAndValues(),
    ...partsOfSegments(),
  ]
}
