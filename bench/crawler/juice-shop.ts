import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DriverContext } from '../../src/crawler/browser/driver.ts'
import type { CrawlMode } from '../../src/crawler/explore/crawl-options.ts'
import { harmOf } from '../../src/http/harmful-words.ts'
import { juiceShopOperations, type Operation, operationOf } from './juice-shop-operations.ts'
import { type CrawlMeasure, describeCost, runCrawl } from './run-crawl.ts'
import { startWatchingProxy } from './watching-proxy.ts'

/*
 * Coverage of a running OWASP Juice Shop:
 *   node bench/crawler/juice-shop.ts <address> <folder of its checkout> <seconds> <anonymous|customer|both> [mode] [tabs]
 * `customer` registers one and signs in as it; `both` gives half of the time to it and half to the administrator. An
 * operation counts when its request left the browser; what the guard held back is said beside. In mode `safe` a proxy
 * before the application counts the requests that should have been held back and came all the same.
 */

const [, , address = '', folder = '', secondsText = '600', who = 'anonymous', mode = 'full', tabs = '4'] =
  process.argv
if (!URL.canParse(address) || !existsSync(join(folder, 'server.ts'))) {
  console.error('Name the address of a running Juice Shop and the folder of its sources.')
  process.exit(2)
}
const operations = juiceShopOperations(folder)
const seconds = Number(secondsText)
const customer = { email: `bench.${Date.now()}@example.com`, password: 'Bench-Customer-7!' }
const administrator = { email: 'admin@juice-sh.op', password: 'admin123' }

/** Requests of kinds that mode `safe` holds back, as they came to the proxy, and all that came. */
const guarded: string[] = []
let arrived = 0
const proxy =
  mode === 'safe'
    ? await startWatchingProxy({
        behind: address,
        tokenMs: null,
        arrived({ method, target, use }) {
          arrived++
          if (isGuarded(method, target, use)) guarded.push(`${method} ${target}`)
        },
      })
    : null

const measures: CrawlMeasure[] = []
if (who === 'anonymous') measures.push(await crawlAs(null, seconds))
else {
  await register()
  measures.push(await crawlAs(customer, who === 'both' ? seconds / 2 : seconds))
  if (who === 'both') measures.push(await crawlAs(administrator, seconds / 2))
}
if (measures.length > 1) {
  console.log('--- together')
  report(measures)
}
if (proxy) {
  console.log(
    `requests that came to the application: ${arrived}; of method DELETE or to a guarded path: ${guarded.length}`,
  )
  for (const line of new Set(guarded)) console.log(`  ${line}`)
}
process.exit(0)

/** Whether mode `safe` has to hold it back; files that make up a page are no requests of that kind. */
function isGuarded(method: string, target: string, use: string): boolean {
  if (method === 'DELETE') return true
  if (/^(?:style|image|script|font|audio|video|track|manifest)$/.test(use)) return false
  return method !== 'OPTIONS' && harmOf(decodeURIComponent(target)) !== null
}

async function crawlAs(account: typeof customer | null, time: number): Promise<CrawlMeasure> {
  const measure = await runCrawl({
    start: proxy ? `${proxy.origin}/` : address,
    seconds: time,
    mode: mode as CrawlMode,
    tabs: Number(tabs),
    saturationSeconds: time,
    identity: account?.email ?? 'anonymous',
    signIn: account ? (context) => signIn(context, account) : null,
  })
  console.log(`--- ${account?.email ?? 'anonymous'}`)
  console.log(describeCost(measure))
  report([measure])
  return measure
}

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL(path, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, unknown>
}

async function register(): Promise<void> {
  await post('/api/Users', {
    ...customer,
    passwordRepeat: customer.password,
    securityQuestion: { id: 1 },
    securityAnswer: 'bench',
  })
}

/** What a login leaves in a browser: token in cookie and local storage, basket in session storage. */
async function signIn(context: DriverContext, account: typeof customer): Promise<void> {
  const { authentication } = (await post('/rest/user/login', account)) as {
    authentication: { token: string; bid: number; umail: string }
  }
  const url = new URL(proxy?.origin ?? address)
  const cookie = {
    domain: url.hostname,
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: null,
  } as const
  await context.restore({
    cookies: [
      { ...cookie, name: 'token', value: authentication.token },
      { ...cookie, name: 'welcomebanner_status', value: 'dismiss' },
      { ...cookie, name: 'cookieconsent_status', value: 'dismiss' },
    ],
    storage: [
      {
        origin: url.origin,
        local: [
          ['token', authentication.token],
          ['email', account.email],
        ],
        session: [
          ['bid', String(authentication.bid)],
          ['itemTotal', '0'],
        ],
      },
    ],
    headers: {},
  })
}

function report(of: readonly CrawlMeasure[]): void {
  const sent = new Map<Operation, Set<string>>()
  const held = new Set<Operation>()
  for (const line of of.flatMap((measure) => measure.requests)) {
    const operation = operationOf(line.method, new URL(line.url).pathname, operations)
    if (!operation) continue
    if (line.outcome === 'held back') held.add(operation)
    else if (line.outcome !== 'blocked') {
      sent.set(operation, (sent.get(operation) ?? new Set()).add(line.cause === 'probe' ? 'probe' : 'page'))
    }
  }
  const reached = [...sent.keys()]
  const count = (list: readonly Operation[]) =>
    `${list.length}, ${list.filter((operation) => operation.method !== 'GET').length} of them not GET`
  const frontEnd = operations.filter((operation) => operation.isFrontEnd)
  console.log(`operations in the sources: ${operations.length}, of its front end ${frontEnd.length}`)
  console.log(`reached: ${count(reached)}`)
  console.log(`reached of the front end: ${count(reached.filter((operation) => operation.isFrontEnd))}`)
  const byPages = reached.filter((operation) => sent.get(operation)?.has('page'))
  console.log(`sent by pages themselves: ${count(byPages)}`)
  console.log(
    `of the front end by pages themselves: ${count(byPages.filter((operation) => operation.isFrontEnd))}`,
  )
  if (held.size > 0) {
    console.log(`held back: ${count([...held])}: ${named([...held])}`)
    const recorded = frontEnd.filter((operation) => sent.has(operation) || held.has(operation))
    console.log(`of the front end recorded, sent or held back: ${count(recorded)}`)
  }
  const byProbes = frontEnd.filter((operation) => sent.has(operation) && !sent.get(operation)?.has('page'))
  console.log(`front end by probes alone: ${named(byProbes)}`)
  const missed = frontEnd.filter((operation) => !sent.has(operation))
  console.log(`front end not reached: ${named(missed)}`)
}

function named(list: readonly Operation[]): string {
  return list.map((operation) => `${operation.method} ${operation.path}`).join(', ')
}
