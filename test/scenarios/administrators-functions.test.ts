import { afterAll, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { giveRole, RUN_ORDER, type RunResult, resultsOfRun } from '../use-vigil.ts'
import { PEOPLE, PeopleTarget, type Person, type Shape, tokenOf } from './people-target.ts'

/**
 * What a function of administrators is shows in who was recorded using it and who is refused beside it; the name of a
 * path is a hint.
 */

let server: TestServer
const targets: PeopleTarget[] = []

test.beforeAll(async ({ shared }) => {
  server = shared
  await giveRole(vigilOf(server), 'MEMBER', { Authorization: tokenOf('bob') })
  await giveRole(vigilOf(server), 'ADMIN', { Authorization: tokenOf('root') })
})
afterAll(async () => {
  for (const target of targets) await target.close()
})

const TESTS = ['BFLA_ADMIN_READ', 'BFLA_ADMIN_WRITE']
const EVERY_ORDER: Person[][] = PEOPLE.flatMap((first) =>
  PEOPLE.filter((one) => one !== first).map((second) => [
    first,
    second,
    PEOPLE.find((one) => one !== first && one !== second)!,
  ]),
)

/** Declares a test with the people recorded in each order; `npm test` has one. */
function inEveryOrder(name: string, check: (order: Person[]) => Promise<void>): void {
  for (const [at, order] of EVERY_ORDER.entries()) {
    const tags = at === 0 ? [] : ['marathon']
    test(`${name}, recorded ${order.join(', ')}`, { tags, timeout: 180_000 }, () => check(order))
  }
}

interface Verdict {
  /** Severity of a finding, else errors, else `no finding`. */
  readonly says: string
  readonly why: string
}

/** Records the people in an order, and tests; @returns verdicts by `METHOD url`, tests that do not apply left out. */
async function verdictsOn(
  shape: Shape,
  { order = PEOPLE, writeLevel = 'REVERSIBLE' }: { order?: readonly Person[]; writeLevel?: string } = {},
): Promise<{ verdicts: Map<string, Verdict>; target: PeopleTarget; before: string }> {
  const target = new PeopleTarget(shape)
  targets.push(target)
  await target.start()
  const apiCollectionId = await target.record(vigilOf(server), order)
  const before = target.state()
  const testingRunResults = await resultsOfRun(vigilOf(server), {
    ...RUN_ORDER,
    testName: 'functions of administrators',
    apiCollectionId,
    selectedTests: TESTS,
    cleanUpTestingResources: true,
    writeLevel,
  })
  const verdicts = testingRunResults
    .filter(({ errorsList }) => !errorsList.some((error) => error.includes('does not apply')))
    .map((result): [string, Verdict] => [
      `${result.apiInfoKey.method} ${result.apiInfoKey.url}`,
      verdictOf(result),
    ])
  return { verdicts: new Map(verdicts), target, before }
}

function verdictOf({ vulnerable, testResults }: RunResult): Verdict {
  const errors = testResults.flatMap((one) => one.errors)
  const { confidence = '', validationReason = '' } = testResults[0] ?? {}
  return {
    says: vulnerable ? confidence : errors.length > 0 ? errors.join(' ') : 'no finding',
    why: validationReason ?? '',
  }
}

function findingsIn(verdicts: ReadonlyMap<string, Verdict>): [string, string][] {
  return [...verdicts]
    .filter(([, { says }]) => /^(?:LOW|MEDIUM|HIGH|CRITICAL)$/.test(says))
    .map(([at, { says }]): [string, string] => [at, says])
    .sort()
}

const FLAGS = '/api/admin/flags'
const EVERYBODYS = [
  'GET /api/admin/me',
  'GET /api/admin/projects',
  'GET /api/admin/context',
  `GET ${FLAGS}`,
  `POST ${FLAGS}`,
  `GET ${FLAGS}/{}`,
  `PUT ${FLAGS}/{}`,
  `DELETE ${FLAGS}/{}`,
]
/** Everything lies below /api/admin/, and most of it is for everybody; users are managed by administrators alone. */
const FLAG_SERVICE: Shape = {
  lists: [FLAGS, '/api/admin/context', '/api/admin/users'],
  pages: [
    '/api/admin/me',
    '/api/admin/projects',
    '/api/admin/users/search',
    '/api/admin/users/count',
    '/api/admin/statistics',
    '/api/admin/maintenance',
  ],
  allows: (person, operation) =>
    person === 'root' ||
    !(/^(?:POST|PUT|DELETE) \/api\/admin\/users/.test(operation) || operation.endsWith('/maintenance')),
  days: {
    ann: EVERYBODYS,
    bob: EVERYBODYS,
    root: [
      ...EVERYBODYS.slice(0, 4),
      'GET /api/admin/users',
      'GET /api/admin/users/search',
      'GET /api/admin/users/count',
      'GET /api/admin/statistics',
      'GET /api/admin/maintenance',
      'POST /api/admin/users',
      'GET /api/admin/users/{}',
      'PUT /api/admin/users/{}',
      'DELETE /api/admin/users/{}',
      'POST /api/admin/context',
      'GET /api/admin/context/{}',
      'PUT /api/admin/context/{}',
      'DELETE /api/admin/context/{}',
    ],
  },
}

/** The same service, whose list and count of users are refused; a search that shows less is for everybody. */
const WITH_EXCERPTS: Shape = {
  ...FLAG_SERVICE,
  allows: (person, operation) =>
    FLAG_SERVICE.allows(person, operation) &&
    (person === 'root' || !/users(?:\/count|\/\{\})?$/.test(operation)),
}

test('an excerpt of what ordinary users are refused is not a finding', {
  tags: ['marathon'],
  timeout: 180_000,
}, async () => {
  const { verdicts, target } = await verdictsOn(WITH_EXCERPTS)
  expect(findingsIn(verdicts)).toEqual([])
  expect(target.used).toContain('bob GET /api/admin/users/search')
  expect(verdicts.get('GET /api/admin/users/search')?.why).toContain('may be meant for all users')
})

inEveryOrder('an interface below /api/admin/ that everybody uses gives no finding', async (order) => {
  const { verdicts, target, before } = await verdictsOn(FLAG_SERVICE, { order })
  expect(findingsIn(verdicts)).toEqual([])
  // It was tried, and works: only nothing shows that it is for administrators.
  expect(target.used).toContain('bob GET /api/admin/users/search')
  expect(verdicts.get('POST /api/admin/users')?.says).toBe('no finding')
  expect(target.state()).toBe(before)
})

const CUSTOMERS = ['GET /me', 'GET /orders', 'GET /orders/{}', 'POST /orders', 'PUT /orders/{}', 'GET /news']
const ADMINISTRATORS = [
  'GET /me',
  'GET /admin/accounts',
  'GET /admin/figures',
  'POST /admin/refunds',
  'GET /admin/refunds',
  'DELETE /admin/refunds/{}',
]
/** A shop whose functions of administrators lie below /admin/. */
function shop(isSound: boolean): Shape {
  return {
    lists: ['/orders', '/admin/refunds'],
    pages: ['/me', '/news', '/admin/accounts', '/admin/figures'],
    allows: (person, operation) => !isSound || person === 'root' || !operation.includes('/admin/'),
    days: { ann: CUSTOMERS, bob: CUSTOMERS, root: ADMINISTRATORS },
  }
}

inEveryOrder('functions below /admin/ that only administrators use are theirs', async (order) => {
  const weak = await verdictsOn(shop(false), { order })
  expect(findingsIn(weak.verdicts)).toEqual([
    ['DELETE /admin/refunds/INTEGER', 'CRITICAL'],
    ['GET /admin/accounts', 'HIGH'],
    ['GET /admin/figures', 'HIGH'],
    ['GET /admin/refunds', 'HIGH'],
    ['POST /admin/refunds', 'CRITICAL'],
  ])
  expect(weak.verdicts.get('GET /admin/accounts')?.why).toContain(
    'Only administrators were recorded using this endpoint; ordinary users were recorded using others.',
  )
  expect(weak.target.state()).toBe(weak.before)
})

test('functions below /admin/ that refuse ordinary users pass, and each was tried', async () => {
  const sound = await verdictsOn(shop(true))
  expect(new Set([...sound.verdicts.values()].map(({ says }) => says))).toEqual(new Set(['no finding']))
  expect([...sound.verdicts.keys()].sort()).toEqual([
    'DELETE /admin/refunds/INTEGER',
    'GET /admin/accounts',
    'GET /admin/figures',
    'GET /admin/refunds',
    'POST /admin/refunds',
  ])
}, 180_000)

test('where no ordinary user was recorded, the name of a path is a finding of MEDIUM at most', async () => {
  const { verdicts } = await verdictsOn({ ...shop(false) }, { order: ['root'] })
  expect(findingsIn(verdicts).map(([, severity]) => severity)).toEqual(
    expect.arrayContaining(['MEDIUM', 'MEDIUM']),
  )
  expect(findingsIn(verdicts).every(([, severity]) => severity === 'MEDIUM')).toBe(true)
  expect(verdicts.get('GET /admin/accounts')?.why).toContain(
    'No other evidence shows that it is for administrators.',
  )
}, 180_000)

const GUESTS = ['GET /me', 'GET /menu', 'GET /orders', 'POST /orders', 'PUT /orders/{}']
const CHEFS = ['GET /me', 'GET /menu', 'POST /menu', 'PUT /menu/{}', 'DELETE /menu/{}']
/** A restaurant without a word for administration in its paths. */
function restaurant(shape: Partial<Shape> = {}): Shape {
  return {
    lists: ['/menu', '/orders'],
    pages: ['/me'],
    // Who may delete was forgotten.
    allows: (person, operation) => person === 'root' || !/^(?:POST|PUT) \/menu/.test(operation),
    days: { ann: GUESTS, bob: GUESTS, root: CHEFS },
    ...shape,
  }
}

inEveryOrder('a deletion that guests may do although they are refused beside it is found', async (order) => {
  const { verdicts, target, before } = await verdictsOn(restaurant(), { order })
  expect(findingsIn(verdicts)).toEqual([['DELETE /menu/INTEGER', 'CRITICAL']])
  expect(verdicts.get('DELETE /menu/INTEGER')?.why).toContain(
    'The role MEMBER is rejected at comparable endpoints: PUT /menu/INTEGER.',
  )
  expect(verdicts.get('POST /menu')?.says).toBe('no finding')
  expect(verdicts.get('PUT /menu/INTEGER')?.says).toBe('no finding')
  expect(target.state()).toBe(before)
})

test('a sound restaurant gives no finding, and every function was tried', async () => {
  const { verdicts, target, before } = await verdictsOn(
    restaurant({ allows: (person, operation) => person === 'root' || !/^(?!GET)\w+ \/menu/.test(operation) }),
  )
  expect(Object.fromEntries([...verdicts].map(([at, { says }]) => [at, says]))).toEqual({
    'POST /menu': 'no finding',
    'PUT /menu/INTEGER': 'no finding',
    'DELETE /menu/INTEGER': 'no finding',
  })
  expect(target.state()).toBe(before)
}, 180_000)

const LISTED = ['GET /me', 'GET /menu', 'PUT /menu', 'PUT /menu/{}', 'DELETE /menu/{}']

test('a deletion is proven by the list where items have no address to read, made by PUT', async () => {
  const shape = { isListedOnly: true, days: { ann: GUESTS, bob: GUESTS, root: LISTED } }
  const { verdicts, target, before } = await verdictsOn(
    restaurant({ ...shape, lists: ['/menu'], pages: ['/me', '/orders'] }),
  )
  expect(findingsIn(verdicts)).toEqual([['DELETE /menu/INTEGER', 'CRITICAL']])
  expect(verdicts.get('PUT /menu')?.says).toBe('no finding')
  expect(verdicts.get('PUT /menu/INTEGER')?.says).toBe('no finding')
  expect(target.state()).toBe(before)
}, 180_000)

test('a deletion that is answered as if it were carried out, and is not, is not a finding', async () => {
  const { verdicts, target, before } = await verdictsOn(
    restaurant({
      allows: (person, operation) => person === 'root' || !/^(?!GET)\w+ \/menu/.test(operation),
      liesAboutDeletions: true,
    }),
  )
  expect(verdicts.get('DELETE /menu/INTEGER')?.says).toBe('no finding')
  expect(target.state()).toBe(before)
}, 180_000)

const SETS_ROLES = 'PUT /users/update_role'

test('what gives rights is a function of administrators; it is tried where everything may be written', async () => {
  const shape = restaurant({
    setsRoles: SETS_ROLES,
    days: { ann: GUESTS, bob: GUESTS, root: [...CHEFS, SETS_ROLES] },
  })
  const careful = await verdictsOn(shape)
  expect(careful.target.used.filter((line) => line.endsWith(SETS_ROLES))).toEqual([])
  expect(careful.verdicts.get(SETS_ROLES)?.says).toContain('could not undo')
  const thorough = await verdictsOn(shape, { writeLevel: 'ALL' })
  expect(thorough.verdicts.get(SETS_ROLES)).toEqual({
    says: 'CRITICAL',
    why: expect.stringContaining('The request assigns roles or permissions.'),
  })
}, 180_000)

test('a run that only reads tries no function that writes', async () => {
  const { verdicts, target } = await verdictsOn(restaurant(), { writeLevel: 'READ_ONLY' })
  expect(target.used.filter((line) => !line.includes(' GET '))).toEqual([])
  expect(verdicts.get('DELETE /menu/INTEGER')?.says).toContain('could not undo')
}, 180_000)

const BUYERS = ['GET /me', 'GET /products', 'GET /products/{}', 'GET /news']
const SELLERS = [
  'GET /me',
  'POST /products',
  'PUT /products/{}',
  'DELETE /products/{}',
  'GET /reports',
  'GET /coupons',
  'POST /coupons',
  'DELETE /coupons/{}',
]
/** A market with no word for administration in its paths. */
function market(allows: Shape['allows']): Shape {
  return {
    lists: ['/products', '/coupons'],
    pages: ['/me', '/news', '/reports'],
    allows,
    days: { ann: BUYERS, bob: BUYERS, root: SELLERS },
  }
}

test('where nobody is refused anything, writes on what others only read are findings of MEDIUM', async () => {
  const { verdicts, target, before } = await verdictsOn(market(() => true))
  expect(findingsIn(verdicts)).toEqual([
    ['DELETE /products/INTEGER', 'MEDIUM'],
    ['POST /products', 'MEDIUM'],
    ['PUT /products/INTEGER', 'MEDIUM'],
  ])
  expect(verdicts.get('POST /products')?.why).toContain('does not seem to check roles')
  expect(target.state()).toBe(before)
}, 180_000)

test('where ordinary users are refused elsewhere, what they may do is theirs', async () => {
  const { verdicts } = await verdictsOn(
    market((person, operation) => person === 'root' || !/reports|coupons/.test(operation)),
  )
  expect(findingsIn(verdicts)).toEqual([])
}, 180_000)
