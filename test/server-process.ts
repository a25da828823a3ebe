import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { environmentWithoutSettings, startProgram } from './start-program.ts'
import type { Installation } from './use-vigil.ts'

const PROGRAM = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const STOP_PATIENCE_MS = 8_000

/** A `vigil start` of its own, with a key that the starter knows. */
export interface ServerProcess {
  readonly address: string
  readonly apiKey: string
  readonly process: ChildProcess
  readonly installation: Installation
  /** Resolves when the process is gone, for whatever reason. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server on an embedded store in `folder`, deaf to settings of the environment. Its call-back listener is on
 * a free port. What it logs from warnings on goes to standard error.
 *
 * @param port a wish; a free port is taken when it is in use
 * @param settings further settings as flags
 * @throws Error when it ends before it is ready
 */
export async function startServerProcess(
  folder: string,
  port: number,
  apiKey: string,
  signal: AbortSignal,
  settings: readonly string[] = [],
): Promise<ServerProcess> {
  const flags = {
    '--port': String((await isFree(port)) ? port : await freePort()),
    '--callback-port': String(await freePort()),
    '--data-dir': folder,
    '--log-level': 'warn',
  }
  const child = startProgram(PROGRAM, ['start', ...Object.entries(flags).flat(), ...settings], {
    // In no argument, so that no list of processes shows it.
    env: { ...environmentWithoutSettings(), VIGIL_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches the starter alone, which ends this process in order.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = await readyAddress(child, ended, signal).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    address,
    apiKey,
    process: child,
    installation: installationAt(address, apiKey),
    ended,
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS)
      await ended
      clearTimeout(late)
    },
  }
}

/** An installation behind an address. */
export function installationAt(address: string, apiKey: string): Installation {
  return {
    async call(operation, body) {
      const answer = await fetch(`${address}/api/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${text.slice(0, 500)}`)
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    },
  }
}

function readyAddress(child: ChildProcess, ended: Promise<void>, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (data: Buffer) => {
      text += data.toString()
      const address = /ready at (\S+)/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
    void ended.then(() => reject(new Error(`the server ended with code ${child.exitCode}`)))
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
