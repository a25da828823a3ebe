import { type ChildProcess, fork } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { Failure, siblingModule } from '../../kit/index.ts'
import type { WorkItem, WorkKind } from '../explore/frontier.ts'
import type { LearnedFact } from '../explore/learned.ts'
import type { CrawlFrame } from '../records/crawl-leftovers.ts'
import type { CrawlJob } from './crawl-job.ts'
import type { CrawlBatch, CrawlLink } from './crawl-link.ts'
import {
  type CrawlEnding,
  type CrawlPlace,
  type LinkMethod,
  type ParentMessage,
  WORKER_LIFELINE,
  type WorkerMessage,
} from './worker-protocol.ts'

/** Heap of a worker; a crawl that needs more begins again from what is stored. */
const MAX_HEAP_MB = 224
/** Space for young objects: the default grows the process by tens of megabytes for no gain here. */
const MAX_YOUNG_MB = 8
const KEPT_STDERR = 2000

/** How a worker process went. */
export type WorkerExit =
  | { readonly kind: 'ended'; readonly ending: CrawlEnding }
  /** It died: killed, out of memory, or by a fault; `trace` is the end of what it wrote. */
  | { readonly kind: 'died'; readonly how: string; readonly trace: string }

/** A worker process on one crawl. */
export interface WorkerProcess {
  readonly processId: number | undefined
  /** Settles once, when the process is gone; never rejects. */
  readonly exited: Promise<WorkerExit>
  /** Ends it at once; its browser goes with it. */
  kill(): void
}

/**
 * Crawls in a separate process: whatever pages and browsers do there, this process only passes messages on. The worker
 * ends itself when this process is gone.
 */
export function startWorker(job: CrawlJob, place: CrawlPlace, link: CrawlLink): WorkerProcess {
  const child = fork(siblingModule(import.meta.url, './crawl-worker'), {
    serialization: 'advanced',
    // The last one is the lifeline of its browser: nothing is ever written to it.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`, `--max-semi-space-size=${MAX_YOUNG_MB}`],
    env: withoutSettings(process.env),
  })
  let trace = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    trace = (trace + text).slice(-KEPT_STDERR)
  })
  let ending: CrawlEnding | null = null
  child.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ended') ending = message.ending
    else void answer(child, link, message)
  })
  // Anyone who watches over the browser has the other end still.
  child.once('exit', () => (child.stdio[WORKER_LIFELINE] as Duplex | null)?.destroy())
  const exited = new Promise<WorkerExit>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'died', how: error.message, trace }))
    child.once('close', (code, signal) => {
      if (ending !== null) resolve({ kind: 'ended', ending })
      else resolve({ kind: 'died', how: signal ?? `exit code ${code}`, trace })
    })
  })
  send(child, { kind: 'begin', job, place })
  return { processId: child.pid, exited, kill: () => child.kill('SIGKILL') }
}

/** Settings are the server's, and so is where its traces go: secrets among them are not the business of a process that visits foreign pages. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:VIGIL|OTEL)_/.test(name)))
}

async function answer(
  child: ChildProcess,
  link: CrawlLink,
  { id, method, args }: Extract<WorkerMessage, { kind: 'call' }>,
): Promise<void> {
  try {
    send(child, { kind: 'answer', id, value: await handle(link, method, args) })
  } catch (error) {
    const isOurs = error instanceof Failure
    send(child, {
      kind: 'refusal',
      id,
      code: isOurs ? error.code : null,
      details: isOurs ? error.details : {},
      message: error instanceof Error ? error.message : String(error),
    })
  }
}

function handle(link: CrawlLink, method: LinkMethod, args: readonly unknown[]): Promise<unknown> {
  const { frontier } = link
  const id = String(args[0])
  switch (method) {
    case 'add':
      return frontier.add(args[0] as readonly WorkItem[])
    case 'take':
      return frontier.take(args[0] as WorkKind)
    case 'renew':
      return frontier.renew(id)
    case 'done':
      return frontier.done(id)
    case 'putBack':
      return frontier.putBack(id, args[1] as { priority: number; payload: string })
    case 'fail':
      return frontier.fail(id, String(args[1]))
    case 'counts':
      return frontier.counts()
    case 'deliver':
      return link.deliver(args[0] as CrawlBatch)
    case 'exchange':
      return link.exchange(Number(args[0]), args[1] as readonly LearnedFact[])
    case 'idle':
      return link.idle(args[0] === true)
    case 'beat':
      return link.beat(Number(args[0]))
    case 'frame':
      return link.frame(args[0] as CrawlFrame)
    case 'takeCodeStep':
      return link.takeCodeStep(id, Number(args[1]))
    case 'alone':
      return link.alone()
    case 'loggedIn':
      return link.loggedIn(args[0] as string | null)
  }
}

/** A message to a process that has just gone is of no further use. */
function send(child: ChildProcess, message: ParentMessage): void {
  if (child.connected) child.send(message, () => {})
}
