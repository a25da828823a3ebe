import { operations } from '../../src/contract/index.ts'
import type { TestPerson, TestServer } from '../harness.ts'
import { CRAWL_SUMMARY, CRAWLED_HOST, reportCrawl } from './reported-crawl.ts'

/** Operations that give lists a row with the example of the contract, in an order that works. */
const made = [
  'addTestRoles',
  'addAuthToRole',
  'addCustomWebhook',
  'saveTicketTracker',
  'addApiToken',
  'inviteUsers',
  'saveCustomDataType',
  'modifyThreatConfiguration',
  'addThreatSuppression',
  'createCustomCollection',
  'saveView',
  'generateReportPDF',
] as const

async function call(person: TestPerson, operation: string, request: unknown): Promise<void> {
  const answer = await person.call(operation, request)
  if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`)
}

/**
 * Gives an installation what people set up: roles, channels, keys, invitations, data types, suppressions, groups, suites,
 * views, a report, a rule for false positives, and two crawls, of which one is over.
 *
 * @returns pages of these that an installation without them does not have
 */
export async function fillSettings(server: TestServer, person: TestPerson): Promise<string[]> {
  for (const name of made) {
    const { example } = operations[name]
    // The role that the first of them makes.
    const role = name === 'addAuthToRole' ? { roleName: 'SUPPORT' } : {}
    await call(person, name, { ...example.request, ...role })
  }
  await call(person, 'createTestSuite', {
    testSuiteName: 'access',
    subCategoryList: ['BOLA_READ', 'CORS_ORIGIN_REFLECTED'],
  })
  await markFalse(server, person)
  const moduleInfo = { id: 'lab process', moduleType: 'DAST', name: 'lab', startedTs: 1_769_850_000 }
  await server.client.op.updateModuleInfoForHeartbeat({ moduleInfo })
  const order = { hostname: `${CRAWLED_HOST}/`, crawlingTime: 600, selectedModuleName: moduleInfo.name }
  const pages: string[] = []
  for (const isOver of [true, false]) {
    await call(person, 'initiateCrawler', order)
    const [job] = await server.client.op.fetchPendingDastJobs({ moduleName: moduleInfo.name })
    const { crawlId } = job!
    await reportCrawl(server, crawlId)
    if (isOver)
      await server.client.op.updateCrawlerStatus({ crawlId, status: 'STOPPED', summary: CRAWL_SUMMARY })
    pages.push(`/crawls/${crawlId}`)
  }
  return [...pages, `${pages[0]}?show=graph`, `${pages[0]}?show=log`, '/library/suites']
}

/** Makes a rule of the last open issue, so that the worst ones stay open. */
async function markFalse(server: TestServer, person: TestPerson): Promise<void> {
  const { issueGroups } = await server.client.call('fetchIssueGroups', { filterStatus: ['OPEN'], limit: 50 })
  const { id } = issueGroups.at(-1)!.issue
  await call(person, 'addFalsePositive', { issueId: id, scope: 'ENDPOINT', reason: 'The version is public' })
}
