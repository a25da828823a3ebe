import { afterAll, beforeEach, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { collectionOf, type Installation, wholeCollection } from '../use-vigil.ts'
import {
  type KeepingTarget,
  keepingTarget,
  recordMembers,
  recordSignIns,
  recordUse,
} from './keeping-target.ts'

let server: TestServer
let target: KeepingTarget
let vigil: Installation
let collectionId: number

test.beforeAll(async ({ shared }) => {
  server = shared
  vigil = vigilOf(server)
  target = await keepingTarget()
  await recordUse(vigil, target.host)
  await recordSignIns(vigil, target.host, false)
  await recordMembers(vigil, target.host)
  collectionId = await collectionOf(vigil, target.host)
})
afterAll(async () => {
  await target.close()
})
beforeEach(() => target.reset())

const MAKES_TEXT = ['UNBOUNDED_TEXT_LENGTH', 'MASS_ASSIGNMENT_ROLE']

interface Asked {
  readonly tests?: readonly string[]
  readonly method: string
  readonly url: string
  /** Endpoints beside it. */
  readonly others?: readonly { readonly method: string; readonly url: string }[]
  /** Instead of the one that all tests share. */
  readonly collection?: number
  readonly cleanUpTestingResources?: boolean
  readonly writeLevel?: 'READ_ONLY' | 'REVERSIBLE' | 'ALL'
}

/** Runs tests to the end; @returns why results have no verdict, without repeats. */
async function run(asked: Asked): Promise<string[]> {
  return [...new Set((await resultsOf(asked)).flatMap(({ errorsList }) => errorsList ?? []))]
}

interface ResultItem {
  readonly vulnerable: boolean
  readonly errorsList?: string[]
  readonly testResults: readonly { readonly validationReason: string | null }[]
}

async function resultsOf({
  tests = MAKES_TEXT,
  method,
  url,
  others = [],
  collection = collectionId,
  ...asked
}: Asked): Promise<ResultItem[]> {
  const started = await vigil.call('startTest', {
    ...wholeCollection(collection, tests),
    cleanUpTestingResources: true,
    ...asked,
    type: 'CUSTOM',
    apiInfoKeyList: [{ method, url }, ...others].map((key) => ({ apiCollectionId: collection, ...key })),
  })
  const summaryId = started['testingRunResultSummaryHexId']
  await expect
    .poll(
      async () =>
        (
          (await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })) as {
            state: string
          }
        ).state,
    )
    .toBe('COMPLETED')
  const { testingRunResults } = (await vigil.call('fetchTestingRunResults', {
    testingRunResultSummaryHexId: summaryId,
    queryMode: 'ALL',
    sortKey: 'time',
    sortOrder: 1,
    limit: 100,
    skip: 0,
    queryValue: '',
  })) as { testingRunResults: ResultItem[] }
  return testingRunResults
}

test('what tests made is deleted with the credentials that made it, and nothing else is', async () => {
  const before = target.state()
  await run({ method: 'POST', url: '/notes' })
  expect(target.writes().filter((line) => line.startsWith('POST /notes')).length).toBeGreaterThan(0)
  expect(target.state()).toEqual(before)
  expect(new Set(target.deleters())).toEqual(new Set(['Bearer of-ann']))
})

test('what tests changed has its old values again', async () => {
  const before = target.state()
  await run({ method: 'PUT', url: '/settings' })
  expect(target.writes().filter((line) => line.startsWith('PUT /settings')).length).toBeGreaterThan(1)
  expect(target.state()).toEqual(before)
})

test('a record of a list is restored too, with fields that its request does not send', async () => {
  const before = target.state()
  await run({ method: 'PATCH', url: '/tickets/INTEGER' })
  expect(target.writes().some((line) => line.startsWith('PATCH /tickets'))).toBe(true)
  expect(target.state()).toEqual(before)
})

test('what cannot be undone is not sent, and the result says so', async () => {
  const before = target.state()
  const reasons = await run({ method: 'POST', url: '/transfers' })
  expect(target.writes()).toEqual([])
  expect(target.state()).toEqual(before)
  expect(reasons).toContain('The test writes something that Vigil could not undo')
})

test('what a list shows and nobody deletes is not made', async () => {
  const before = target.state()
  await run({
    tests: ['MASS_ASSIGNMENT_ROLE', 'NOSNIFF_MISSING', 'CORS_ORIGIN_REFLECTED'],
    method: 'POST',
    url: '/groups',
  })
  expect(target.state()).toEqual(before)
})

test('the level ALL sends it, and the level READ_ONLY sends no write at all', async () => {
  await run({ method: 'POST', url: '/transfers', writeLevel: 'ALL' })
  expect(target.writes().length).toBeGreaterThan(0)
  target.reset()
  await run({ method: 'POST', url: '/notes', writeLevel: 'READ_ONLY' })
  expect(target.writes()).toEqual([])
})

test('without the wish everything stays', async () => {
  const before = target.state()
  await run({ method: 'POST', url: '/notes', cleanUpTestingResources: false })
  expect(target.state()).not.toEqual(before)
  expect(target.deleters()).toEqual([])
})

test('an answer that gets lost does not leave behind what its request made', async () => {
  const before = target.state()
  target.loseAnswers()
  await run({ method: 'POST', url: '/notes' })
  expect(target.writes().filter((line) => line.startsWith('POST /notes')).length).toBeGreaterThan(0)
  expect(target.state()).toEqual(before)
})

const GUESSING = ['LOGIN_BRUTE_FORCE']
/** Tests that send wrong passwords for other reasons. */
const WRONG_PASSWORDS = [
  'USER_ENUMERATION_LOGIN',
  'NOSQLI_LOGIN_BYPASS',
  'SQLI_BOOLEAN_BODY',
  'SQLI_ERROR_BODY',
  'STACK_TRACE_WRONG_TYPE',
  'UNBOUNDED_TEXT_LENGTH',
]

test('guessing locks no account below the level ALL, and the result says why it was not tried', async () => {
  const before = target.state()
  const login = { method: 'POST', url: '/login' }
  const [result] = await resultsOf({ tests: GUESSING, ...login })
  expect(target.guesses()).toEqual({})
  expect(target.state()).toEqual(before)
  expect(result?.vulnerable).toBe(false)
  expect(result?.errorsList).toEqual(['The test writes something that Vigil could not undo'])
  expect(result?.testResults.map(({ validationReason }) => validationReason).join()).toContain(
    'wrong secrets could lock the recorded account',
  )
  await run({ tests: GUESSING, ...login, writeLevel: 'ALL' })
  expect(target.guesses()).toEqual({ ann: 5 })
  expect(target.state()).toContain('"isLocked":true')
})

test('tests that send wrong passwords for other reasons lock no account, however many they are', async () => {
  const before = target.state()
  await run({ tests: [...WRONG_PASSWORDS, ...GUESSING], method: 'POST', url: '/login' })
  expect(target.guesses()['ann']).toBeGreaterThan(0)
  expect(target.state()).toEqual(before)
})

test('where accounts can be made and deleted, one made for the test is guessed at', async () => {
  const open = await keepingTarget()
  try {
    await recordSignIns(vigil, open.host, true)
    const before = open.state()
    const [result] = (
      await resultsOf({
        tests: GUESSING,
        method: 'POST',
        url: '/login',
        others: [
          { method: 'POST', url: '/accounts' },
          { method: 'DELETE', url: '/accounts/INTEGER' },
        ],
        collection: await collectionOf(vigil, open.host),
      })
    ).filter(({ errorsList = [] }) => !errorsList.join().includes('does not apply'))
    // The lock of the account showed.
    expect(result).toMatchObject({ vulnerable: false, errorsList: [] })
    expect(open.guesses()['ann']).toBeUndefined()
    expect(Object.values(open.guesses())).toEqual([5])
    expect(open.deleters()).toEqual(['Bearer of-caretaker'])
    expect(open.state()).toEqual(before)
  } finally {
    await open.close()
  }
})

test('what only shows whether a position reacts is undone as well', async () => {
  const before = target.state()
  await run({ tests: ['SQLI_ERROR_BODY', 'CMDI_BODY'], method: 'POST', url: '/notes' })
  expect(target.writes().filter((line) => line.startsWith('POST /notes')).length).toBeGreaterThan(0)
  expect(target.state()).toEqual(before)
})

test('a record that nobody can read after a test gets its old values all the same', async () => {
  const before = target.state()
  await run({ tests: ['SQLI_ERROR_BODY', 'REDOS_EMAIL'], method: 'PUT', url: '/members/INTEGER' })
  expect(target.writes().filter((line) => line.startsWith('PUT /members')).length).toBeGreaterThan(2)
  expect(target.state()).toEqual(before)
})
