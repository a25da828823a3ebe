import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, isBuilt } from '../../src/app/index.ts'
import {
  describeFailure,
  errorCodeHeader,
  failure,
  findOperation,
  keyKinds,
  type OperationName,
  operationNames,
  type Role,
  roles,
} from '../../src/contract/index.ts'
import { checkAnswer } from '../check-answer.ts'
import {
  joinPerson,
  personOf,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testKey,
  testPassword,
} from '../harness.ts'
import { type AccessCase, accessCases, readingCases } from './contract-cases.ts'
import { bodyOfOperation, runOrder, seedInventory, WITHOUT_SECOND_FACTOR } from './suitable-requests.ts'

/** Calls under way at the same time: enough to be quick, too few to meet the limits of load. */
const PARALLEL = 6

let server: TestServer
let people: Record<Role, TestPerson>
const keys = new Map<string, string>()

beforeAll(async () => {
  server = await startTestServer()
  const admin = await signUpPerson(server, 'admin@example.org')
  people = {
    ADMIN: admin,
    MEMBER: await joinPerson(server, admin, 'member@example.org', 'MEMBER'),
    GUEST: await joinPerson(server, admin, 'guest@example.org', 'GUEST'),
  }
  const team = (await (await admin.call('getTeamData')).json()) as { users: { id: number; login: string }[] }
  const { access } = server.running.app
  for (const role of roles) {
    const user = team.users.find(({ login }) => login === people[role].email)!
    for (const kind of keyKinds) {
      keys.set(`${kind} ${role}`, (await createKey(access, user.id, kind, 'conformance')).key)
    }
  }
})
afterAll(() => server.close())

/** Runs work on every item, a few at a time, and collects what it returns; undefined is left out. */
async function findings<T>(
  items: readonly T[],
  work: (item: T) => Promise<string | undefined>,
): Promise<string[]> {
  const found: string[] = []
  let next = 0
  const walk = async (): Promise<void> => {
    while (next < items.length) {
      const finding = await work(items[next++]!)
      if (finding !== undefined) found.push(finding)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, walk))
  return found.sort()
}

/** Posts as a caller that the gate lets through. */
async function asAllowed(operation: string, body: unknown): Promise<Response> {
  if (!findOperation(operation)!.sessionOnly) return server.post(`/api/${operation}`, body)
  if (operation !== 'logout') return people.ADMIN.call(operation, body)
  return (await freshSession()).call(operation, body)
}

/** A session of its own, for the operation that ends it. */
async function freshSession(): Promise<TestPerson> {
  const { email } = people.ADMIN
  const answer = await server.post('/auth/login', { username: email, password: testPassword }, { key: null })
  return personOf(server, email, answer)
}

/** Feeders that send a bare list of messages are served as well. */
function isLenient({ operation, about }: { operation: string; about: string }): boolean {
  return operation === 'ingestData' && about === 'a list as body'
}

async function callAs(via: string, role: Role | null, operation: string): Promise<Response> {
  // Null is refused by the reading of every operation, so a caller who passes the gate changes nothing.
  const post = (key: string | null) => server.post(`/api/${operation}`, 'null', { key })
  if (via === 'NOTHING') return post(null)
  if (via === 'BAD_KEY') return post('w'.repeat(40))
  if (via === 'SESSION') return people[role!].call(operation, 'null')
  return post(keys.get(`${via} ${role}`)!)
}

/** Callers whom the gate answered otherwise than the contract says. */
function wronglyAnswered(cases: readonly AccessCase[]): Promise<string[]> {
  return findings(cases, async ({ operation, via, role, refusal }) => {
    const answer = await callAs(via, role, operation)
    const code = answer.headers.get(errorCodeHeader)
    const { actionErrors } = (await answer.json()) as { actionErrors: string[] }
    const expected = refusal ?? 'INVALID_JSON_BODY'
    const { status, messages } = describeFailure(failure(expected, { role: role ?? '' }))
    if (code === expected && answer.status === status && actionErrors[0] === messages[0]) return undefined
    return `${operation} ${via} ${role}: ${answer.status} ${code} ${actionErrors} instead of ${expected}`
  })
}

describe('the running server', () => {
  const isSession = ({ via }: AccessCase): boolean => via === 'SESSION'
  test('lets in exactly the people that the contract names', async () => {
    expect(await wronglyAnswered(accessCases().filter(isSession))).toEqual([])
  })

  test('lets in exactly the keys that the contract names', {
    tags: ['marathon'],
  }, async () => {
    expect(await wronglyAnswered(accessCases().filter((one) => !isSession(one)))).toEqual([])
  })

  test('refuses every body that the contract refuses, with its sentence', {
    tags: ['marathon'],
  }, async () => {
    const cases = readingCases().filter(({ refusal, ...one }) => refusal !== null && !isLenient(one))
    const wrong = await findings(cases, async ({ operation, about, body, refusal }) => {
      const answer = await asAllowed(operation, JSON.stringify(body))
      const told = await answer.text()
      const code = answer.headers.get(errorCodeHeader)
      const isTold = told === JSON.stringify({ actionErrors: [refusal!.message] })
      if (answer.status === refusal!.status && code === refusal!.code && isTold) return undefined
      return `${operation}, ${about}: ${answer.status} ${told.slice(0, 200)} instead of ${refusal!.message}`
    })
    expect(wrong).toEqual([])
  })

  test('reads every body that the contract allows', { tags: ['marathon'] }, async () => {
    const cases = readingCases().filter(({ refusal }) => refusal === null)
    const wrong = await findings(cases, async ({ operation, about, body }) => {
      const answer = await asAllowed(operation, JSON.stringify(body))
      const told = await answer.text()
      const code = answer.headers.get(errorCodeHeader)
      if (!isBuilt(operation as OperationName)) {
        const sentence = JSON.stringify({ actionErrors: [`${operation} is not built yet`] })
        if (answer.status === 501 && told === sentence) return undefined
        return `${operation}, ${about}: ${answer.status} ${told.slice(0, 200)} instead of 501`
      }
      // What the handler then makes of invented ids is its own affair; a fault or a refused field is not.
      const isRead = code === null || !['FIELD_REQUIRED', 'INVALID_FIELD', 'INVALID_JSON_BODY'].includes(code)
      // Reports are made one after the other: who asks for many at once is told to come back.
      const isFault = answer.status >= 500 && code !== 'OVERLOADED'
      if (isRead && !isFault) return undefined
      return `${operation}, ${about}: ${answer.status} ${told.slice(0, 200)}`
    })
    expect(wrong).toEqual([])
  })

  test('answers a suitable request of every built operation as the contract says', async () => {
    const seeded = await seedInventory(server, people.ADMIN)
    const wrong: string[] = []
    for (const name of runOrder(operationNames.filter(isBuilt))) {
      const body = await bodyOfOperation(name, seeded)
      const answer = await asAllowed(name, body)
      const text = await answer.text()
      // What it plays stands on a host that nobody has; its own test plays a flow on one that is there.
      const refusal = answer.headers.get(errorCodeHeader)
      if (refusal === 'RECORDED_FLOW_FAILED') continue
      if (refusal !== null && WITHOUT_SECOND_FACTOR[name]?.includes(refusal)) continue
      if (answer.status !== 200) {
        wrong.push(`${name}: ${answer.status} ${text.slice(0, 200)}`)
        continue
      }
      const misfit = checkAnswer(name, text === '' ? undefined : JSON.parse(text))
      if (misfit !== null) wrong.push(misfit)
    }
    expect(wrong).toEqual([])
  })

  test('keeps the key of automation working throughout', async () => {
    expect((await server.post('/api/getAllCollectionsBasic', {}, { key: testKey })).status).toBe(200)
  })
})
