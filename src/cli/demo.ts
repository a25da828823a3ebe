import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Market, startMarket } from '../demo/index.ts'
import type { Settings, SettingsReport } from '../kit/index.ts'
import { portProblem } from '../server/index.ts'
import type { Command } from './command.ts'
import {
  crawlMarket,
  demoCollection,
  observeAttacks,
  observeMarket,
  repeatRun,
  startRun,
  watchFindings,
} from './demo/steps.ts'
import { exitCodes } from './exit-codes.ts'
import { freePort, type OwnServer, startOwnServer } from './own-server.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

const EMAIL = 'demo@vigil.example'
const PASSWORD = 'three parrots sort copper mail'
const KEY_BYTES = 20

/** `vigil demo`: a server beside a weak application on this machine, with its traffic and a test run. */
export const demo: Command = {
  help: `Usage: vigil demo [--data-dir FOLDER] [--port 9090] [--once] [--json]

Starts Vigil on a temporary store next to the market, an API with deliberate weaknesses; both listen on 127.0.0.1 only.
Two customers and an administrator use the market, their traffic is sent to Vigil, the test roles get their credentials,
attackers appear, and the whole test library runs. Prints the address, an account, an API key, and the findings as they
are proven. Then four weaknesses are fixed and the run is repeated, so that two executions can be compared, and a browser
crawls the pages of the market. Ctrl-C ends everything. --data-dir keeps the store; --port chooses the port (another free
one is taken when it is in use); --once ends when the first run has ended, with code 1 when it found nothing. --json
prints address, account and key as one line of JSON, the number of findings as another, and everything for people on
standard error.
`,
  async run(args) {
    const given = readArguments(args, [], ['once'])
    const { options } = given
    takeWords(given.words, [])
    const ending = new AbortController()
    const end = (): void => ending.abort()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
    try {
      const found = await runDemo(given, options['once'] === 'true', ending.signal)
      return options['once'] === 'true' && found === 0 && !ending.signal.aborted
        ? exitCodes.failed
        : exitCodes.done
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
    }
  },
}

/** Runs the demo to its end and leaves nothing behind but a named store; @returns how many findings were proven. */
async function runDemo({ report, isJson }: Arguments, isOnce: boolean, signal: AbortSignal): Promise<number> {
  const say = isJson ? sayBeside : sayToPeople
  const startedMs = performance.now()
  const step = (text: string): void =>
    say(`[${((performance.now() - startedMs) / 1000).toFixed(1)} s] ${text}`)
  const isKept = report.sources.dataDir === 'flag'
  const folder = isKept ? report.settings.dataDir : mkdtempSync(join(tmpdir(), 'vigil-demo-'))
  const removeFolder = (): void => {
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
  let market: Market | null = null
  let server: OwnServer | null = null
  try {
    step('starting Vigil and the market, a weak application on this machine')
    market = await startMarket('all')
    const settings = await demoSettings(report, folder, isKept)
    server = await startOwnServer(settings, () => {})
    step(`Vigil is ready at ${server.address}; the market answers at ${market.origin}`)
    const isNew = await signUpDemo(server.address)
    say(`          sign in: ${isNew ? `${EMAIL} / ${PASSWORD}` : 'with an account of this store'}`)
    say(`          API key: ${settings.apiKey}`)
    const account = isNew ? { email: EMAIL, password: PASSWORD } : {}
    if (isJson)
      writeLine({ address: server.address, target: market.origin, apiKey: settings.apiKey, ...account })
    const work = proveAndWait({ server, market, settings, say, step, isJson, isOnce, signal })
    return await Promise.race([work, server.died])
  } finally {
    await Promise.allSettled([market?.close(), server?.close()])
    removeFolder()
    say(isKept ? `Ended; the store is kept in ${folder}` : 'Ended; nothing is left.')
  }
}

interface Demo {
  readonly server: OwnServer
  readonly market: Market
  readonly settings: Settings
  readonly say: (line: string) => void
  readonly step: (text: string) => void
  readonly isJson: boolean
  readonly isOnce: boolean
  readonly signal: AbortSignal
}

async function proveAndWait(demo: Demo): Promise<number> {
  const { server, market, settings, say, step, signal } = demo
  const { client, address } = server
  const observed = await observeMarket(client, market)
  step(`${observed.messages} requests of two customers and an administrator were observed`)
  step('roles: ATTACKER and MEMBER are the second customer, ADMIN the administrator')
  const started = await startRun(client, await demoCollection(client, market))
  step(`run of ${started.tests.size} tests on the whole collection started`)
  const attacks = await observeAttacks(client, market)
  step(
    `${attacks.messages} requests of four attackers at ${attacks.host} were observed: ${attacks.events} events`,
  )
  const voice = { say, step, signal }
  const found = await watchFindings(client, started, voice)
  // Before the demo waits for its end: programs continue with what was found.
  if (demo.isJson) writeLine({ findings: found })
  if (signal.aborted) return found
  say(`\nLook at them at ${address}`)
  if (demo.isOnce) return found
  say('Ctrl-C ends everything; more follows meanwhile.')
  step('four weaknesses of the market were fixed; the run is repeated')
  await repeatRun(client, market, started, voice)
  if (signal.aborted) return found
  await crawlMarket(client, market, settings, voice)
  if (!signal.aborted) step('done: runs, threats and the crawl are in the dashboard; Ctrl-C ends everything')
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return found
}

function sayToPeople(line: string): void {
  process.stdout.write(`${line}\n`)
}

function sayBeside(line: string): void {
  process.stderr.write(`${line}\n`)
}

function writeLine(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

async function demoSettings(
  { settings, sources }: SettingsReport,
  folder: string,
  isKept: boolean,
): Promise<Settings> {
  const isTaken = settings.port !== 0 && (await portProblem('127.0.0.1', settings.port)) !== null
  return {
    ...settings,
    host: '127.0.0.1',
    port: isTaken ? 0 : settings.port,
    baseUrl: null,
    dataDir: folder,
    databaseUrl: null,
    embeddedDurability: isKept && settings.embeddedDurability,
    apiKey: randomBytes(KEY_BYTES).toString('hex'),
    logLevel: sources.logLevel === 'default' ? 'warn' : settings.logLevel,
    snapshotHours: 0,
    callbackPort: await freePort(),
  }
}

/** Makes the account of the demo; @returns false when a kept store of an earlier demo has one already */
async function signUpDemo(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/signup-email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const text = await answer.text()
  if (answer.ok) return true
  if (answer.headers.get('x-error-code') === 'INVITATION_REQUIRED') return false
  throw new Error(`no account was made: ${text}`)
}
