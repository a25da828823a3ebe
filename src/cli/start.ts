import { announceServer, boot, type Running, serveLocalControl, setupCode } from '../app/index.ts'
import { type Log, reportError, type Settings } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'
import { beginTelemetry, requireFreePort, type Server, startServer, type Telemetry } from '../server/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { explainFailure } from './explain-failure.ts'
import { type HandedSecret, handOverSecret, removeSecretFile } from './hand-over-secret.ts'
import { programVersion } from './program-version.ts'
import { readArguments } from './read-arguments.ts'
import { hasStore } from './require-store.ts'
import { takeWords } from './words.ts'

/** For the store, which writes everything out at the end. */
const END_SLACK_MS = 45_000
const NPM_WATCH_MS = 500

/** `vigil start`: the server with its dashboard, until a signal ends it. */
export const start: Command = {
  help: `Usage: vigil start [--port 9090] [--data-dir FOLDER] [any setting] [--json]

Runs the server and its dashboard until SIGTERM or SIGINT. Needs no setting: without VIGIL_DATABASE_URL everything
is kept in the data folder. Prints the address and, at the first start, a first API key; where other machines reach the
server, also the set-up code that the first sign-up needs. When standard output is not a terminal, it prints the names of
the files that hold them instead. --json prints the address, the data folder and those files (firstKeyFile,
setupCodeFile; null for what is not needed) as one line of JSON.
`,
  async run(args) {
    const given = readArguments(args)
    takeWords(given.words, [])
    const { settings } = given.report
    const startedMs = performance.now()
    const log = createLog(settings.logLevel)
    let end: (code: number) => void = () => {}
    const ended = new Promise<number>((resolve) => {
      end = resolve
    })
    const { roles } = settings
    const telemetry = await beginTelemetry(process.env, { log, version: programVersion(), roles })
    await requireFreePort(settings.host, settings.port)
    if (!given.isJson && !hasStore(settings))
      process.stdout.write(`Creating a new store in ${settings.dataDir}; this takes some seconds.\n`)
    const running = await boot(settings, log, (error) => end(explainFailure(error)))
    let server: Server
    try {
      server = await startServer(running.app)
    } catch (error) {
      await running.close()
      throw error
    }
    telemetry.readMetrics(server.readings)
    const endControl =
      running.app.store.kind === 'embedded'
        ? await serveLocalControl(settings.dataDir, running.app.access, log)
        : async () => {}
    const takeBack = announceSnapshots(settings, server.address, running)
    watchProcess(settings.shutdownSeconds * 1000, { log, server, running, telemetry }, end)
    log.info('server.started', {
      address: server.address,
      store: running.app.store.kind,
      startMs: Math.round(performance.now() - startedMs),
    })
    const isShown = process.stdout.isTTY === true && !given.isJson
    greet(given.isJson, server.address, running, {
      firstKey: await handOverFirstKey(running, isShown),
      setupCode: await handOverSetupCode(running, isShown),
    })
    const code = await ended
    takeBack()
    await endControl()
    log.flush()
    process.exit(code)
  },
}

/** Lets `vigil backup` ask the running server for a snapshot. */
function announceSnapshots(settings: Settings, address: string, { snapshots }: Running): () => void {
  if (!snapshots) return () => {}
  // The result is in the log and in the note that the command waits for.
  process.on('SIGUSR2', () => void snapshots.take().catch(() => {}))
  return announceServer(settings.dataDir, address)
}

/** What a process consists of. */
interface Parts {
  readonly log: Log
  readonly server: Server
  readonly running: Running
  readonly telemetry: Telemetry
}

/** Ends in order at the first signal, at once at the second. */
function watchProcess(
  patienceMs: number,
  { log, server, running, telemetry }: Parts,
  end: (code: number) => void,
): void {
  let isStopping = false
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return end(exitCodes.failed)
    isStopping = true
    const stoppingMs = performance.now()
    // Every part has a time limit; should one not keep it, the process ends all the same.
    setTimeout(() => end(exitCodes.failed), patienceMs + END_SLACK_MS).unref()
    log.info('server.stopping', { signal })
    try {
      const callsCut = await server.stop(patienceMs)
      await telemetry.closeMetrics()
      await running.close(patienceMs)
      await telemetry.close()
      log.info('server.stopped', { durationMs: Math.round(performance.now() - stoppingMs), callsCut })
      end(exitCodes.done)
    } catch (error) {
      log.error('process.failed', { error: reportError(error) })
      end(exitCodes.failed)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  watchNpm(() => void stop('SIGTERM'))
  const fail = (error: unknown): void => {
    log.error('process.failed', { error: reportError(error) })
    end(exitCodes.failed)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

/** npm ends at a signal without passing it on to its script, so the end of npm is the signal. */
function watchNpm(onEnd: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const npm = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(watch)
    onEnd()
  }, NPM_WATCH_MS)
  watch.unref()
}

const FIRST_KEY_FILE = 'first-api-key'
const SETUP_CODE_FILE = 'setup-code'

/** The line that hands the set-up code over while nobody has signed up; null when the first sign-up needs none. */
async function handOverSetupCode(
  { app: { access, settings } }: Running,
  isShown: boolean,
): Promise<HandedSecret | null> {
  const { dataDir } = settings
  const secret = await setupCode(access)
  if (secret === null) {
    removeSecretFile(dataDir, SETUP_CODE_FILE)
    return null
  }
  const title = 'Set-up code for the first sign-up'
  return handOverSecret({ dataDir, file: SETUP_CODE_FILE, title, secret }, isShown)
}

/** What the person who started the server needs once; null for what is not needed. */
interface HandedOver {
  readonly firstKey: HandedSecret | null
  readonly setupCode: HandedSecret | null
}

async function handOverFirstKey(running: Running, isShown: boolean): Promise<HandedSecret | null> {
  const secret = await running.makeFirstKey()
  if (secret === null) return null
  const { dataDir } = running.app.settings
  const title = isShown ? 'First API key (shown once)' : 'First API key'
  return handOverSecret({ dataDir, file: FIRST_KEY_FILE, title, secret }, isShown)
}

function greet(isJson: boolean, listening: string, { app }: Running, handed: HandedOver): void {
  const address = app.settings.baseUrl ?? listening
  const dataDir = app.store.kind === 'embedded' ? app.settings.dataDir : null
  const { firstKey, setupCode } = handed
  if (isJson) {
    const files = { firstKeyFile: firstKey?.file ?? null, setupCodeFile: setupCode?.file ?? null }
    process.stdout.write(`${JSON.stringify({ address, dataDir, ...files })}\n`)
    return
  }
  const lines = [`Vigil is ready at ${address}`]
  if (dataDir !== null) lines.push(`Everything is kept in ${dataDir}`)
  if (firstKey !== null) lines.push('', firstKey.line, 'More keys: dashboard, settings; or: vigil key create')
  if (setupCode !== null) lines.push('', setupCode.line)
  process.stdout.write(`${lines.join('\n')}\n`)
}
