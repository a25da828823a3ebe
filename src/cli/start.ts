import { announceServer, boot, type Running } from '../app/index.ts'
import { createLog, type Log, reportError, type Settings } from '../kit/index.ts'
import { type Server, startServer } from '../server/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { explainFailure } from './explain-failure.ts'
import { readArguments } from './read-arguments.ts'

/** `vigil start`: the server with its dashboard, until a signal ends it. */
export const start: Command = {
  help: `Usage: vigil start [--port 9090] [--data-dir FOLDER] [any setting]

Runs the server and its dashboard until SIGTERM or SIGINT. Needs no setting: without VIGIL_DATABASE_URL everything
is kept in the data folder. Prints the address and, at the first start, a first API key.
`,
  async run(args) {
    const { settings } = readArguments(args).report
    const startedMs = performance.now()
    const log = createLog(settings.logLevel)
    let end: (code: number) => void = () => {}
    const ended = new Promise<number>((resolve) => {
      end = resolve
    })
    const running = await boot(settings, log, (error) => end(explainFailure(error)))
    let server: Server
    try {
      server = await startServer(running.app)
    } catch (error) {
      await running.close()
      throw error
    }
    const takeBack = announceSnapshots(settings, server.address, running)
    watchProcess(log, settings.shutdownSeconds * 1000, server, running, end)
    log.info('server.started', {
      address: server.address,
      store: running.app.store.kind,
      startMs: Math.round(performance.now() - startedMs),
    })
    greet(server.address, running, await running.makeFirstKey())
    const code = await ended
    takeBack()
    log.flush()
    process.exit(code)
  },
}

/** Lets `vigil backup` ask the running server for a snapshot. */
function announceSnapshots(settings: Settings, address: string, { snapshots }: Running): () => void {
  if (!snapshots) return () => {}
  // How it went stands in the log and in the note that the command waits for.
  process.on('SIGUSR2', () => void snapshots.take().catch(() => {}))
  return announceServer(settings.dataDir, address)
}

/** Ends in order at the first signal, at once at the second. */
function watchProcess(
  log: Log,
  patienceMs: number,
  server: Server,
  running: Running,
  end: (code: number) => void,
): void {
  let isStopping = false
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return end(exitCodes.failed)
    isStopping = true
    const stoppingMs = performance.now()
    log.info('server.stopping', { signal })
    try {
      const callsCut = await server.stop(patienceMs)
      await running.close(patienceMs)
      log.info('server.stopped', { durationMs: Math.round(performance.now() - stoppingMs), callsCut })
      end(exitCodes.done)
    } catch (error) {
      log.error('process.failed', { error: reportError(error) })
      end(exitCodes.failed)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  const fail = (error: unknown): void => {
    log.error('process.failed', { error: reportError(error) })
    end(exitCodes.failed)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

function greet(address: string, { app }: Running, firstKey: string | null): void {
  const lines = [`Vigil is ready at ${app.settings.baseUrl ?? address}`]
  if (app.store.kind === 'embedded') lines.push(`Everything is kept in ${app.settings.dataDir}`)
  if (firstKey !== null) {
    lines.push(
      '',
      `First API key (shown once): ${firstKey}`,
      'More keys: dashboard, settings; or: vigil key create',
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}
