import { type CrawlRun, claimDueTests, logToCrawl, noteTests } from '../../crawler/index.ts'
import { hasEndpoints } from '../../inventory/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { createRun } from '../../testing/index.ts'
import type { CrawlDeps } from './crawl-deps.ts'

const PAGE = 500
/** An executor that was silent for longer counts as gone. */
const EXECUTOR_SILENCE_SECONDS = 20 * 60

/** Starts the tests that completed crawls asked for, each once; what was captured last is among what they test. */
export async function startDueTests(deps: CrawlDeps): Promise<void> {
  for (;;) {
    const crawl = await claimDueTests(deps.store)
    if (crawl === null) return
    if (!(await hasEndpoints(deps, crawl.collectionId))) {
      await noteTests(deps.store, crawl.id, null, 'No endpoint was found, so there is nothing to test.')
      continue
    }
    const runId = await startRun(deps, crawl)
    await noteTests(deps.store, crawl.id, runId, null)
    await logToCrawl(deps.store, crawl.id, 'info', `Tests of what was found begin: run ${runId}`)
    deps.testRuns.wake()
  }
}

async function startRun(deps: CrawlDeps, crawl: CrawlRun): Promise<string> {
  const { runId } = await createRun(deps.store, {
    name: `Auto-test after crawl: ${crawl.hostname}`,
    userLogin: crawl.startedBy,
    triggeredBy: 'DAST_CRAWLER_AUTO_TEST',
    source: 'TESTING_UI',
    scheduledAt: nowSeconds(),
    periodSeconds: 0,
    timeZone: '',
    runSeconds: -1,
    maxConcurrent: -1,
    targetType: 'COLLECTION_WISE',
    targetEndpoints: null,
    collectionIds: [crawl.collectionId],
    slackChannelId: 0,
    sendsSlack: false,
    sendsTeams: false,
    keepsIssuesOpen: false,
    allowedExecutors: await executorsOf(deps, crawl),
    metadata: null,
    configuration: {
      testIds: await activeTests(deps),
      suiteIds: [],
      roleId: crawl.testRoleId,
      overrideUrl: null,
      cleansUp: true,
      writeLevel: 'REVERSIBLE',
      requestChanges: null,
      ticketing: null,
    },
  })
  return runId
}

/** The chosen executor while it is there; else this installation. */
async function executorsOf({ store }: CrawlDeps, { executor }: CrawlRun): Promise<string[] | null> {
  if (executor === null) return null
  const { rowCount } = await store.pool.query(
    `SELECT FROM modules WHERE kind = 'MINI_TESTING' AND name = $1 AND seen_at > $2`,
    [executor, nowSeconds() - EXECUTOR_SILENCE_SECONDS],
  )
  return rowCount ? [executor] : null
}

async function activeTests({ catalogue }: CrawlDeps): Promise<string[]> {
  const ids: string[] = []
  for (let skip = 0; ; skip += PAGE) {
    const page = await catalogue.page({ activeOnly: true, skip, limit: PAGE })
    ids.push(...page.map(({ id }) => id))
    if (page.length < PAGE) return ids
  }
}
