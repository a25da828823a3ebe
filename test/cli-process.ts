import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { environmentWithoutSettings, startProgram } from './start-program.ts'

const PROGRAM = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const START_PATIENCE_MS = 200_000

/** How a command ended. */
export interface CliEnd {
  code: number | null
  stdout: string
  stderr: string
}

/** A server started by the command line. */
export interface CliServer {
  readonly process: ChildProcess
  readonly baseUrl: string
  /** What it printed until it was ready. */
  readonly greeting: string
  /** What it printed so far. */
  readonly text: () => string
  readonly ended: Promise<CliEnd>
}

/** Runs a command to its end, in the environment of this process without any setting. */
export function runCli(args: readonly string[], input = ''): Promise<CliEnd> {
  const child = spawnCli([PROGRAM, ...args])
  child.stdin?.end(input)
  return endOf(child)
}

/** Starts a command that runs until it is told to end. */
export function startCommand(args: readonly string[]): {
  readonly process: ChildProcess
  readonly ended: Promise<CliEnd>
} {
  const child = spawnCli([PROGRAM, ...args])
  return { process: child, ended: endOf(child) }
}

/**
 * Runs `vigil start` on a free port until it says that it is ready.
 *
 * @param command arguments of Node.js: its flags, the program, `start`; by default the program from its sources
 */
export async function startCli(
  args: readonly string[],
  command: readonly string[] = [PROGRAM, 'start'],
  patienceMs = START_PATIENCE_MS,
  environment: Readonly<Record<string, string>> = {},
): Promise<CliServer> {
  const child = spawnCli([...command, '--port', '0', ...args], environment)
  const ended = endOf(child)
  let greeting = ''
  child.stdout?.on('data', (data: Buffer) => {
    greeting += data.toString()
  })
  const until = Date.now() + patienceMs
  const ready = new Promise<string>((resolve, reject) => {
    const look = setInterval(() => {
      const address = /ready at (\S+)/.exec(greeting)?.[1]
      if (address === undefined && Date.now() < until) return
      clearInterval(look)
      if (address === undefined) reject(new Error('the server was not ready in time'))
      else resolve(address)
    }, 20)
    ended.then((end) => {
      clearInterval(look)
      reject(new Error(`the server ended with ${end.code}: ${end.stderr}`))
    }, reject)
  })
  const baseUrl = await ready
  return { process: child, baseUrl, greeting, text: () => greeting, ended }
}

/** @param command flags of Node.js, the program, its arguments */
function spawnCli(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const at = command.findIndex((one) => !one.startsWith('-'))
  return startProgram(command[at]!, command.slice(at + 1), {
    nodeFlags: command.slice(0, at),
    env: { ...environmentWithoutSettings(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

function endOf(child: ChildProcess): Promise<CliEnd> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (data: Buffer) => {
    stdout += data.toString()
  })
  child.stderr?.on('data', (data: Buffer) => {
    stderr += data.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
