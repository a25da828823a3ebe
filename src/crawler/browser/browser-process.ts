import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'
import { endsWithin } from '../../kit/index.ts'
import { watchOver } from './watchdog.ts'

const KEPT_WORDS = 8_000
/** What a program that ended still had to say has come by then. */
const LAST_WORDS_MS = 200
/** Ends a message of the protocol on the pipe. */
const END = 0

/** How to start the program of a browser. */
interface BrowserProgram {
  readonly path: string
  readonly flags: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** Descriptor that reports the end of the process that ordered the browser; null without one. */
  readonly lifeline: number | null
}

/** How the program of a browser ended. */
export interface ProgramEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Set when it could not be started at all. */
  readonly error: Error | null
  /** The end of what it wrote to its standard error. */
  readonly said: string
}

/**
 * The program of a browser with all processes below it, and the pipe to it. It ends when this process ends, however that
 * happens: the program notices the end of its pipe, and a watchdog kills it at once.
 */
export class BrowserProcess implements ConnectionTransport {
  onmessage?: (message: string) => void
  onclose?: () => void
  readonly processId: number | null
  /** Settles once, when the program is gone; never rejects. */
  readonly ended: Promise<ProgramEnd>
  readonly #child: ChildProcess
  readonly #waiting: Buffer[] = []
  #isOver = false

  constructor({ path, flags, environment, lifeline }: BrowserProgram) {
    const child = spawn(path, flags, {
      // A separate group: all of it can be ended together.
      detached: process.platform !== 'win32',
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    this.#child = child
    this.processId = child.pid ?? null
    const watchdog = child.pid === undefined ? null : watchOver(child.pid, lifeline)
    const kill = (): void => this.kill()
    process.once('exit', kill)
    this.ended = endOf(child).then((end) => {
      this.#isOver = true
      // What is left of it is of no use to anybody, and would go on writing its profile.
      this.#killGroup()
      void watchdog?.dismiss()
      process.off('exit', kill)
      this.onclose?.()
      return end
    })
    const [, , , toProgram, fromProgram] = child.stdio
    // A program that is gone takes nothing; its end tells so.
    toProgram?.on('error', () => {})
    const answers = fromProgram as Readable | null
    answers?.on('data', (chunk: Buffer) => this.#take(chunk))
    answers?.on('error', () => {})
    // Nobody could talk to it any more.
    answers?.on('close', () => this.kill())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  send(message: string): void {
    const pipe = this.#child.stdio[3] as Writable
    pipe.write(`${message}\0`)
  }

  close(): void {
    this.kill()
  }

  /** Ends it at once, with all that it started. */
  kill(): void {
    if (!this.#isOver) this.#killGroup()
  }

  #killGroup(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      if (process.platform === 'win32') this.#child.kill('SIGKILL')
      else process.kill(-pid, 'SIGKILL')
    } catch (error) {
      // Nothing is left of it.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') this.#child.kill('SIGKILL')
    }
  }

  #take(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(END); end >= 0; end = chunk.indexOf(END, start)) {
      const message = Buffer.concat([...this.#waiting, chunk.subarray(start, end)]).toString('utf8')
      this.#waiting.length = 0
      start = end + 1
      // One after the other: what awaits an answer continues before the next message is reported.
      setImmediate(() => this.onmessage?.(message))
    }
    if (start < chunk.length) this.#waiting.push(chunk.subarray(start))
  }
}

async function endOf(child: ChildProcess): Promise<ProgramEnd> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-KEPT_WORDS)
  })
  const silent =
    child.stderr === null
      ? Promise.resolve()
      : new Promise<void>((resolve) => child.stderr?.once('close', resolve))
  const end = await new Promise<Omit<ProgramEnd, 'said'>>((resolve) => {
    child.once('error', (error) => {
      // It was never started; an error of a running program is none of its end.
      if (child.pid === undefined) resolve({ code: null, signal: null, error })
    })
    child.once('exit', (code, signal) => resolve({ code, signal, error: null }))
  })
  // One that was killed has nothing to say.
  if (end.signal !== 'SIGKILL') await endsWithin(LAST_WORDS_MS, silent)
  return { ...end, said }
}
