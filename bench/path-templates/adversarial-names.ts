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
import { Random } from './random.ts'
import { COMPANIES, COUNTRIES, CURRENCIES, FIRST_NAMES, NOUNS } from './words.ts'

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

function namesAmongValues(): AdversarialCase[] {
  const ids = numbers(40, 4_000_000)
  const sets: [string, readonly string[]][] = [
    [
      '/Reports',
      ['TrialBalance', 'BalanceSheet', 'ProfitAndLoss', 'BankSummary', 'BudgetSummary', 'AgedPayables'],
    ],
    [
      '/usage/records',
      ['Daily', 'Monthly', 'Yearly', 'Today', 'Yesterday', 'ThisMonth', 'LastMonth', 'AllTime'],
    ],
    ['/api/statements', ['cashFlow', 'openItems', 'taxSummary', 'openingBalance', 'closingBalance']],
    [
      '/v1/queues',
      ['needsReview', 'openTasks', 'failedJobs', 'pendingPayments', 'dueTickets', 'lockedAccounts'],
    ],
    ['/tickets', ['created_by_me', 'assigned_to_me', 'waiting_for_support', 'due_this_week', 'open_in_team']],
  ]
  return sets.map(([prefix, words]) => ({
    kind: 'names asked for often among certain values with alike answers',
    name: prefix,
    send: [
      ...spread(prefix, ids, '', REPORT),
      ...words.map((word, i) => ({ path: `${prefix}/${word}`, times: 15 + i, keys: REPORT })),
    ],
    expect: {
      ...self(words.map((word) => `${prefix}/${word}`)),
      [`${prefix}/${ids[0]}`]: `${prefix}/INTEGER`,
    },
  }))
}

function areasBeforeVersions(): AdversarialCase[] {
  const kinds = ['deployments', 'jobs', 'leases', 'roles', 'bindings']
  const sets: [string, readonly string[]][] = [
    ['/apis', ['apps', 'batch', 'policy', 'autoscaling', 'networking.example.io', 'storage.example.io']],
    ['/services', ['billing', 'ledger', 'fraud', 'kyc', 'cards', 'notifier', 'risk-engine', 'statements']],
    ['/gateway', ['orders-api', 'stock-api', 'price-api', 'user-api', 'search-api', 'cart-api']],
    ['', ['identity', 'compute', 'volume', 'image', 'network', 'metric', 'orchestration']],
    ['/modules', ['crm', 'sales', 'finance', 'planning', 'warehouse', 'reporting', 'payroll']],
  ]
  return sets.map(([prefix, areas]) => ({
    kind: 'areas of an interface before versions',
    name: `${prefix}/${areas[0]}`,
    send: areas.flatMap((area, i) =>
      [kinds[i % 5]!, kinds[(i + 1) % 5]!, kinds[(i + 2) % 5]!].flatMap((kind) => [
        { path: `${prefix}/${area}/v1/${kind}`, times: 12, keys: LIST },
        ...spread(`${prefix}/${area}/v1/${kind}`, numbers(8), '', ITEM),
      ]),
    ),
    expect: Object.fromEntries(
      areas.flatMap((area, i) => [
        [`${prefix}/${area}/v1/${kinds[i % 5]}`, `${prefix}/${area}/v1/${kinds[i % 5]}`],
        [`${prefix}/${area}/v1/${kinds[i % 5]}/100`, `${prefix}/${area}/v1/${kinds[i % 5]}/INTEGER`],
      ]),
    ),
  }))
}

function tenantsBeforeVersions(): AdversarialCase[] {
  const sets: [string, readonly string[]][] = [
    ['/t', COMPANIES],
    ['/tenants', NOUNS.slice(0, 60)],
    ['/workspaces', slugs(80, 3)],
    ['/orgs', FIRST_NAMES.slice(0, 60)],
    ['/shops', Array.from({ length: 60 }, (_, i) => `shop${i}x${i * 7}`)],
  ]
  return sets.map(([prefix, values]) => ({
    kind: 'values before versions',
    name: prefix,
    send: ['users', 'invoices', 'settings'].flatMap((tail) =>
      spread(prefix, values, `/v1/${tail}`, [...LIST, tail]),
    ),
    expect: all(
      [`${prefix}/${values[0]}/v1/users`, `${prefix}/${values.at(-1)}/v1/users`],
      `${prefix}/STRING/v1/users`,
    ),
    maxTemplates: 3,
  }))
}

/** Names of resources, certain values and codes beside each other. */
export function namesAndValues(): AdversarialCase[] {
  return [
    ...resources(),
    ...shop(),
    ...certainTokens(),
    ...codes(),
    ...wordsOfTypes(),
    ...typedSiblings(),
    ...namesAmongValues(),
    ...areasBeforeVersions(),
    ...tenantsBeforeVersions(),
  ]
}
