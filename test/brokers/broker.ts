import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a broker is given to start on a slow machine. */
export const BROKER_START_MS = 900_000

/** A real broker for one file of tests. */
export interface TestBroker {
  /** For VIGIL_STREAM_URL. */
  readonly url: string
  /** Makes a topic that several processes can share. */
  prepare(topic: string): Promise<void>
  /**
   * Resolves when the broker has all of them.
   *
   * @param ids by which NATS knows a message that is published again
   */
  publish(topic: string, values: readonly string[], ids?: readonly string[]): Promise<void>
  /** Number of messages of a topic. */
  records(topic: string): Promise<number>
  /** Dead letters of a topic so far, with their reasons. */
  deadLetters(topic: string): Promise<{ value: string; reason: string }[]>
  readonly port: number
  readonly pid: number
  /** Kills its program; what it has on disk stays. */
  kill(): Promise<void>
  /** Starts it again after a kill. */
  revive(): Promise<void>
  stop(): Promise<void>
}

/** Starts the program of a broker; the kernel ends it with this process. */
export function spawnBroker(command: string, args: readonly string[], env = process.env): ChildProcess {
  return spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
}

export async function killBroker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
