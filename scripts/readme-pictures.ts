/**
 * `node dist/cli/main.js demo --json --port 0 | node scripts/readme-pictures.ts [folder]`: renews the pictures of the
 * README from a demo. The demo prints its address and account as a line of JSON, and another one when its findings are
 * proven; then the pages are pictured, and Ctrl-C ends the demo. The folder is docs/images unless one is given.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '../src/contract/index.ts'
import { issueAddress } from '../src/dashboard/components/testing/issue-address.ts'
import { startBrowser, stopBrowser, testBrowser } from '../test/browser/browser.ts'
import { signIn } from '../test/browser/installation.ts'
import { Visitor } from '../test/browser/visitor.ts'

const WINDOW = { width: 1360, height: 860 }

/** What `vigil demo --json` prints first. */
interface Demo {
  readonly address: string
  readonly target: string
  readonly apiKey: string
  readonly email: string
  readonly password: string
}

/** The first two lines of the demo: where it is, and that its findings are proven. */
async function readyDemo(): Promise<Demo> {
  const lines: string[] = []
  for await (const line of createInterface({ input: process.stdin })) {
    lines.push(line)
    if (lines.length === 2) return JSON.parse(lines[0]!) as Demo
  }
  throw new Error('The demo ended before its findings were proven')
}

/** Names of the pictures and the pages they show. */
async function pagesOf({ address, apiKey, target }: Demo): Promise<Record<string, string>> {
  const client = createClient({ baseUrl: address, apiKey })
  const { issueGroups } = await client.call('fetchIssueGroups', { filterStatus: ['OPEN'], limit: 50 })
  const issue = issueGroups.find((group) => group.issue.id.testSubCategory.startsWith('BOLA'))?.issue
  const { actors } = await client.call('fetchThreatActors', { startTs: 0, endTs: 0, limit: 1, skip: 0 })
  const { apiCollections } = await client.call('getAllCollectionsBasic', {})
  const { host } = new URL(target)
  const collection = apiCollections?.find(({ hostName }) => hostName === host)
  const actor = actors?.[0]
  if (!issue || !actor || !collection) throw new Error('The demo found no issue, actor or collection')
  return {
    issue: issueAddress(issue.id),
    threats: '/threats',
    actor: `/threats/actors/one?actor=${encodeURIComponent(actor.id)}`,
    filter: '/threats/filters/SQLI_UNION',
    collection: `/apis/${collection.id}`,
    status: '/settings/status',
  }
}

const demo = await readyDemo()
const found = await testBrowser()
if (found === null) throw new Error('No browser was found: set VIGIL_BROWSER to one')
const started = await startBrowser(found)
try {
  const visitor = await Visitor.arrive(started.browser, demo.address)
  await visitor.page.setViewport(WINDOW)
  await signIn(visitor, demo.email, demo.password)
  for (const [name, path] of Object.entries(await pagesOf(demo))) {
    await visitor.open(path)
    await visitor.page.screenshot({
      path: join(process.argv[2] ?? 'docs/images', `${name}.png`) as `${string}.png`,
    })
  }
} finally {
  await stopBrowser(started)
}
process.exit()
