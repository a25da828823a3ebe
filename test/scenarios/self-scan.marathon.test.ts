import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, isBuilt } from '../../src/app/index.ts'
import type { ScanResult } from '../../src/cli/scan/scan-result.ts'
import { findOperation, type OperationName, operationNames, reachOf } from '../../src/contract/index.ts'
import { runCli } from '../cli-process.ts'
import {
  bodyOfOperation,
  runOrder,
  type Seeded,
  seedInventory,
  seedRun,
} from '../conformance/suitable-requests.ts'
import { harOf } from '../har-of.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type ObservedMessage, RecordingClient } from '../recording-client.ts'
import { killPrograms } from '../start-program.ts'
import { ask, messageLines } from './ask.ts'

/**
 * `vigil scan` of a Vigil: its OpenAPI document, and requests of people of every role who may each see collections of
 * their own. The attacker is a member, MEMBER is a guest.
 */

/** Findings that are none, by path: no other may be found, whatever its severity. */
const JUDGED: Readonly<Record<string, string>> = {
  '/api/checkCrawlStatus': 'the crawl of the example does not exist: the answer is that of any unknown id',
  '/api/deleteMaliciousEvents': 'the event of the example does not exist: nothing is deleted',
  '/api/updateMaliciousEventStatus': 'the event of the example does not exist: nothing is updated',
  '/api/updateModuleInfoForHeartbeat':
    'a module that was deleted belongs to the first who reports it; rights-of-records.test.ts refuses one that was not',
}
/** So many checks at least pass in two minutes, also on a busy machine; a scan that cannot sign in passes none. */
const PASSED_AT_LEAST = 20

let folder: string
let target: TestServer
let admin: TestPerson

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-self-scan-'))
  target = await startTestServer({ 'log-level': 'warn' })
  admin = await signUpPerson(target, 'admin@example.org')
})
afterAll(async () => {
  await killPrograms()
  await target.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Somebody who calls with a key. */
interface KeyHolder {
  readonly id: number
  readonly key: string
}

async function keyHolder({ email }: TestPerson): Promise<KeyHolder> {
  const { users } = await ask(admin, 'getTeamData')
  const { id } = users.find(({ login }) => login === email)!
  return { id, key: (await createKey(target.running.app.access, id, 'EXTERNAL_API', 'scan')).key }
}

/** What a restricted person has: a collection with traffic and a run. */
async function ownCollection(seeded: Seeded, { id }: KeyHolder): Promise<Seeded> {
  const paths = ['/rest/user', ...Array.from({ length: 12 }, (_, n) => `/rest/basket/${n + 6}`)]
  const { apiCollectionId: shop, uploadId } = await ask(target, 'importTraffic', {
    apiCollectionName: `of user ${id}`,
    content: messageLines(paths.map((path) => ({ path: `https://shop.test${path}` }))),
  })
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [shop] } })
  return { ...seeded, shop, recordingUploadId: uploadId, run: await seedRun(target, shop) }
}

const isWrite = (name: OperationName): boolean => findOperation(name)!.access === 'write'
const isOfAdmins = (name: OperationName): boolean => reachOf(name) === 'account'

/** Calls operations with suitable bodies; what was answered with success. */
async function recorded(
  seeded: Seeded,
  { key }: KeyHolder,
  isCalled: (name: OperationName) => boolean,
): Promise<ObservedMessage[]> {
  const client = new RecordingClient(target.baseUrl, '203.0.113.5', { 'x-api-key': key })
  const withKeys = operationNames.filter((name) => isBuilt(name) && !findOperation(name)!.sessionOnly)
  for (const name of runOrder(withKeys.filter(isCalled)))
    await client.call('POST', `/api/${name}`, await bodyOfOperation(name, seeded))
  return client.messages.filter(({ statusCode }) => statusCode === 200)
}

test('Vigil finds no weakness in itself that is one', { timeout: 1_200_000 }, async () => {
  const seeded = await seedInventory(target, admin)
  const administrator = await keyHolder(admin)
  const owner = await keyHolder(await joinPerson(target, admin, 'owner@example.org', 'MEMBER'))
  const attacker = await keyHolder(await joinPerson(target, admin, 'attacker@example.org', 'MEMBER'))
  const guest = await keyHolder(await joinPerson(target, admin, 'guest@example.org', 'GUEST'))
  const isRead = (name: OperationName): boolean => !isOfAdmins(name) && !isWrite(name)
  const messages = [
    ...(await recorded(await ownCollection(seeded, owner), owner, (name) => !isOfAdmins(name))),
    ...(await recorded(await ownCollection(seeded, attacker), attacker, isRead)),
    ...(await recorded(await ownCollection(seeded, guest), guest, isRead)),
    ...(await recorded(seeded, administrator, isOfAdmins)),
  ]
  expect(messages.length).toBeGreaterThan(300)
  const files = {
    har: join(folder, 'calls.har'),
    roles: join(folder, 'roles.yaml'),
    json: join(folder, 'a.json'),
  }
  writeFileSync(files.har, JSON.stringify(harOf(target.baseUrl, messages)))
  const roles = { ATTACKER: attacker, MEMBER: guest, ADMIN: administrator }
  writeFileSync(
    files.roles,
    Object.entries(roles)
      .map(([name, { key }]) => `${name}:\n  x-api-key: ${key}\n`)
      .join(''),
  )
  const which = ['--severities', 'critical,high', '--write-level', 'all', '--max-time', '2m']
  const how = ['--target', target.baseUrl, '--roles', files.roles, '--json', files.json]
  const end = await runCli(['scan', 'docs/api/openapi.json', files.har, ...how, ...which])
  expect(end.code, end.stderr).toBe(0)
  const { findings, checks } = JSON.parse(readFileSync(files.json, 'utf8')) as ScanResult
  console.warn(`self-scan: ${JSON.stringify(checks)}`)
  const unjudged = findings.flatMap(({ severity, places }) =>
    places
      .filter(({ path }) => JUDGED[path] === undefined)
      .map(({ testId, path, reason }) => `${severity} ${testId} ${path}: ${reason}`),
  )
  expect(unjudged).toEqual([])
  expect(checks.passed).toBeGreaterThan(PASSED_AT_LEAST)
})
