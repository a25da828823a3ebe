import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Market, startMarket } from '../targets/market/server.ts'
import { recordMarketTraffic } from '../targets/market/traffic.ts'
import {
  allTests,
  collectionOf,
  giveIdentities,
  type Installation,
  namesOfTests,
  wholeCollection,
} from '../use-vigil.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const FINDINGS_SHOWN = 12
const LOOK_EVERY_MS = 250
const EMAIL = 'demo@vigil.example'
const PASSWORD = 'three parrots sort copper mail'

/** How a demo is to run. */
export interface DemoOptions {
  /** Folder of the store; null for a temporary one that goes at the end. */
  readonly dataDir: string | null
  /** Port of the dashboard; another free one is taken when it is in use. */
  readonly port: number
  /** End when the run has ended instead of waiting for the signal. */
  readonly isOnce: boolean
  readonly say: (line: string) => void
  /** Aborted to end the demo. */
  readonly signal: AbortSignal
}

/**
 * Runs the demo to its end and leaves nothing behind but a named store.
 *
 * @returns how many findings were proven
 * @throws Error when a part of it does not come up; an AbortError when it was ended early
 */
export async function startDemo(options: DemoOptions): Promise<number> {
  const { say, signal } = options
  const startedMs = performance.now()
  const step = (text: string): void => say(`[${secondsSince(startedMs)} s] ${text}`)
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'vigil-demo-'))
  let market: Market | null = null
  let server: ServerProcess | null = null
  try {
    step('starting Vigil and the market, a weak shop on this machine')
    const [vigil, shop] = await Promise.allSettled([
      startServerProcess(folder, options.port, randomBytes(30).toString('hex').slice(0, 40), signal),
      startMarket('all'),
    ])
    if (shop.status === 'fulfilled') market = shop.value
    if (vigil.status === 'fulfilled') server = vigil.value
    if (vigil.status === 'rejected') throw vigil.reason
    if (shop.status === 'rejected') throw shop.reason
    const { address, apiKey, installation } = vigil.value
    step(`Vigil is ready at ${address}; the market answers at ${shop.value.origin}`)
    say(await signInLine(address))
    say(`          API key: ${apiKey}`)
    const summaryId = await observeAndTest(installation, shop.value, step)
    const found = await watchRun(installation, summaryId, { say, step, startedMs, signal })
    say(`\nLook at them at ${address}`)
    if (options.isOnce) return found
    say('Ctrl-C ends everything.')
    await untilAborted(signal, vigil.value)
    return found
  } finally {
    await Promise.allSettled([market?.close(), server?.stop()])
    if (options.dataDir === null) rmSync(folder, { recursive: true, force: true })
    say(options.dataDir === null ? 'Ended; nothing is left.' : `Ended; the store is kept in ${folder}`)
  }
}

/** Lets the shop be used, gives the tests their identities, and starts the run; @returns its execution. */
async function observeAndTest(
  vigil: Installation,
  market: Market,
  step: (text: string) => void,
): Promise<string> {
  const { messages, tokens } = await recordMarketTraffic(market)
  await vigil.call('ingestData', { batchData: messages })
  const collectionId = await collectionOf(vigil, new URL(market.origin).host)
  step(`${messages.length} requests of two customers and an administrator were observed`)
  await giveIdentities(vigil, tokens)
  const tests = await allTests(vigil)
  step(`roles: attacker and MEMBER are the second customer, ADMIN the administrator`)
  const run = await vigil.call('startTest', { ...wholeCollection(collectionId, tests), testName: 'Demo' })
  step(`run of ${tests.length} tests on the whole collection started`)
  return String(run['testingRunResultSummaryHexId'])
}

interface FindingItem {
  hexId: string
  testSubType: string
  testSuperType: string
  apiInfoKey: { method: string; url: string }
  testResults: { confidence: string; validationReason: string }[]
}

interface Watching {
  readonly say: (line: string) => void
  readonly step: (text: string) => void
  readonly startedMs: number
  readonly signal: AbortSignal
}

/** Shows findings as they are proven, until the execution ends; @returns their number. */
async function watchRun(vigil: Installation, summaryId: string, watching: Watching): Promise<number> {
  const { say, step, startedMs, signal } = watching
  const shown = new Set<string>()
  const names = await namesOfTests(vigil)
  for (;;) {
    const summary = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
    const page = (await vigil.call('fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode: 'VULNERABLE',
      sortKey: 'time',
      sortOrder: 1,
      limit: 1000,
      skip: 0,
      queryValue: '',
    })) as { testingRunResults: FindingItem[] }
    if (shown.size === 0 && page.testingRunResults.length > 0)
      step(`first findings, proven ${secondsSince(startedMs)} s after the start:`)
    for (const item of page.testingRunResults) {
      if (shown.has(item.hexId)) continue
      shown.add(item.hexId)
      if (shown.size <= FINDINGS_SHOWN)
        say(findingText(item, names.get(item.testSubType) ?? item.testSubType))
      if (shown.size === FINDINGS_SHOWN) say('          … more follow; the dashboard shows all')
    }
    const state = String(summary['state'])
    if (state !== 'SCHEDULED' && state !== 'RUNNING') {
      const results = Number(summary['testResultsCount'])
      step(`run ${state}: ${results} results, ${shown.size} proven findings`)
      return shown.size
    }
    await pause(LOOK_EVERY_MS, undefined, { signal })
  }
}

function findingText({ apiInfoKey, testResults }: FindingItem, name: string): string {
  const { confidence, validationReason } = testResults[0] ?? { confidence: 'HIGH', validationReason: '' }
  const path = apiInfoKey.url.replace(/^https?:\/\/[^/]+/, '')
  return `          ${confidence.padEnd(8)} ${name}: ${apiInfoKey.method} ${path}\n                   ${validationReason}`
}

/** Makes the account of the demo; in a named store of an earlier demo there is one already. */
async function signInLine(address: string): Promise<string> {
  const answer = await fetch(`${address}/signup-email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const told = await answer.text()
  if (answer.ok) return `          sign in: ${EMAIL} / ${PASSWORD}`
  if (answer.headers.get('x-error-code') === 'INVITATION_REQUIRED')
    return '          sign in: with an account of this store'
  throw new Error(`no account was made: ${told}`)
}

async function untilAborted(signal: AbortSignal, server: ServerProcess): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([aborted, server.ended])
}

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1)
}
