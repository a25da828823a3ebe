/**
 * End-to-end ingestion: a real server on its own core, messages of about 2.4 KB in batches over HTTP, each answer
 * after the commit. Prints messages per second as a ratio to a baseline that only parses the same bytes.
 *
 *   node bench/ingest/run.ts [--messages 200000] [--batch 500] [--connections 8] [--cores 0]
 *     [--detection on|off] [--attacks 0.01] [--masked off|types|collection]
 *
 * With detection on every message is searched for threats by the shipped filters, in their own threads: give the
 * server a core for them (--cores 0,1). `--attacks` makes a share of the messages attacks.
 *
 * With --masked types values of e-mail addresses and JSON Web Tokens are masked before samples are stored, with
 * `collection` every value of the collection is.
 *
 * With VIGIL_DATABASE_URL set the server uses that PostgreSQL database (emptied by its owner beforehand).
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startArguments } from '../start-arguments.ts'
import { MessageSource, ReplayableBatch } from './messages.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '200000' },
    batch: { type: 'string', default: '500' },
    connections: { type: 'string', default: '8' },
    cores: { type: 'string', default: '0' },
    port: { type: 'string', default: '19090' },
    detection: { type: 'string', default: 'off' },
    attacks: { type: 'string', default: '0' },
    masked: { type: 'string', default: 'off' },
  },
})
const TOTAL = Number(values.messages)
const BATCH = Number(values.batch)
const CONNECTIONS = Number(values.connections)
const PORT = Number(values.port)
const ATTACKS = Number(values.attacks)
const KEY = 'bench0000000000000000000000000000000bench'.slice(0, 40)
const root = new URL('../..', import.meta.url).pathname
const hasTaskset = spawnSync('taskset', ['--version']).status === 0

function pinned(args: string[]): [string, string[]] {
  return hasTaskset ? ['taskset', ['-c', values.cores, process.execPath, ...args]] : [process.execPath, args]
}

function baseline(): { messagesPerSecond: number; bytesPerMessage: number; cpuMicroseconds: number } {
  const [command, args] = pinned(['bench/ingest/baseline.ts', String(BATCH), '4'])
  return JSON.parse(execFileSync(command, args, { cwd: root, encoding: 'utf8' }))
}

async function startServer(dataDir: string): Promise<ChildProcess> {
  const [command, args] = pinned(await startArguments())
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      VIGIL_PORT: String(PORT),
      VIGIL_API_KEY: KEY,
      VIGIL_LOG_LEVEL: 'error',
      VIGIL_THREAT_DETECTION: String(values.detection === 'on'),
      ...(process.env['VIGIL_DATABASE_URL'] ? {} : { VIGIL_DATA_DIR: dataDir }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    try {
      if ((await fetch(`http://127.0.0.1:${PORT}/health`)).ok) return child
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error('the server did not become healthy in 120 s')
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

function post(path: string, body: Buffer | string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: PORT,
        path,
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-api-key': KEY,
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** Resident memory of a process and its CPU time so far (proc(5)). */
function processFigures(pid: number): { residentMb: number; cpuSeconds: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const residentKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { residentMb: residentKb / 1024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 }
}

/** CPU seconds of each thread of a process so far, by its number, with its name (proc(5)). */
function threadFigures(pid: number): Map<string, { name: string; cpuSeconds: number }> {
  const folder = `/proc/${pid}/task`
  const threads = readdirSync(folder).map((thread) => {
    const stat = readFileSync(`${folder}/${thread}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100
    return [thread, { name: stat.slice(stat.indexOf('(') + 1, end), cpuSeconds }] as const
  })
  return new Map(threads)
}

/** Passes and ids go on over all rounds: a message that comes twice would count once. */
let pass = 0
let idSeed = 0

async function sendAll(
  batches: ReplayableBatch[],
  total: number,
  onProgress: (sent: number) => void,
): Promise<{ accepted: number; refusals: number }> {
  let planned = 0
  let accepted = 0
  let refusals = 0
  const free = [...batches]
  async function sender(): Promise<void> {
    while (planned < total) {
      const batch = free.shift()!
      planned += batch.messages
      pass++
      idSeed += batch.newPaths
      batch.renew(pass, idSeed)
      const answer = await post('/api/ingestData', batch.bytes)
      if (answer.status === 200) accepted += (JSON.parse(answer.text) as { accepted: number }).accepted
      else if (answer.status === 503 || answer.status === 429) {
        refusals++
        planned -= batch.messages
        await new Promise((resolve) => setTimeout(resolve, 200))
      } else throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
      free.push(batch)
      onProgress(accepted)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  return { accepted, refusals }
}

/** Has values masked before they are stored, as `--masked` says. */
async function maskValues(): Promise<void> {
  const call = async (operation: string, body: unknown): Promise<string> => {
    const { status, text } = await post(`/api/${operation}`, JSON.stringify(body))
    if (status !== 200) throw new Error(`${operation} answered ${status} ${text.slice(0, 300)}`)
    return text
  }
  if (values.masked === 'types')
    for (const name of ['EMAIL', 'JWT']) await call('saveCustomDataType', { name, redacted: true })
  if (values.masked === 'collection') {
    const { apiCollections } = JSON.parse(await call('getAllCollections', {})) as {
      apiCollections: { id: number; hostName: string | null }[]
    }
    const { id } = apiCollections.find(({ hostName }) => hostName === 'shop.example')!
    await call('redactCollection', { apiCollectionId: id, redacted: true })
  }
}

async function metric(name: string): Promise<number | null> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/metrics`, { headers: { 'x-api-key': KEY } })
  const line = (await answer.text()).split('\n').find((text) => text.startsWith(name))
  return line ? Number(line.slice(line.lastIndexOf(' ') + 1)) : null
}

const plain = baseline()
console.log(
  `baseline (parse only, one core): ${Math.round(plain.messagesPerSecond)} messages/s, ${Math.round(plain.bytesPerMessage)} bytes each`,
)
const dataDir = mkdtempSync(join(tmpdir(), 'vigil-bench-'))
const server = await startServer(dataDir)
try {
  const source = new MessageSource(11, undefined, ATTACKS)
  const batches = Array.from({ length: CONNECTIONS * 4 }, () => new ReplayableBatch(source.take(BATCH)))
  await sendAll(batches, 30_000, () => {})
  await maskValues()
  const pid = server.pid!
  const before = processFigures(pid)
  const threadsBefore = threadFigures(pid)
  const started = performance.now()
  let peakMb = 0
  const memory: string[] = []
  let nextMark = TOTAL / 10
  const { accepted, refusals } = await sendAll(batches, TOTAL, (sent) => {
    if (sent < nextMark) return
    nextMark += TOTAL / 10
    const { residentMb } = processFigures(pid)
    peakMb = Math.max(peakMb, residentMb)
    memory.push(Math.round(residentMb).toString())
  })
  const seconds = (performance.now() - started) / 1000
  const after = processFigures(pid)
  const threadsAfter = threadFigures(pid)
  const rate = accepted / seconds
  const cpu = after.cpuSeconds - before.cpuSeconds
  const again = baseline()
  const parseRate = (plain.messagesPerSecond + again.messagesPerSecond) / 2
  console.log(
    `messages accepted: ${accepted} in ${seconds.toFixed(1)} s, batches of ${BATCH}, ${CONNECTIONS} connections, refused for load: ${refusals}`,
  )
  console.log(
    `rate: ${Math.round(rate)} messages/s; server CPU ${((cpu / accepted) * 1e6).toFixed(1)} us a message (${cpu.toFixed(1)} s)`,
  )
  console.log(
    `ratio to the parse-only baseline: ${(rate / parseRate).toFixed(3)} (baseline now ${Math.round(again.messagesPerSecond)}/s)`,
  )
  // Where other work shares the core, only the CPU times can be compared.
  const parseCpu = (plain.cpuMicroseconds + again.cpuMicroseconds) / 2
  console.log(
    `ratio of CPU time: ${(parseCpu / ((cpu / accepted) * 1e6)).toFixed(3)} (baseline ${parseCpu.toFixed(1)} us a message)`,
  )
  const byThread = Array.from(threadsAfter, ([thread, { name, cpuSeconds }]) => ({
    name,
    microseconds: ((cpuSeconds - (threadsBefore.get(thread)?.cpuSeconds ?? 0)) / accepted) * 1e6,
  }))
    .filter(({ microseconds }) => microseconds >= 0.1)
    .sort((a, b) => b.microseconds - a.microseconds)
  console.log(
    `us of CPU a message by thread: ${byThread.map(({ name, microseconds }) => `${name} ${microseconds.toFixed(1)}`).join(', ')}`,
  )
  console.log(`resident memory at each tenth, MB: ${memory.join(' ')}; peak ${Math.round(peakMb)}`)
  console.log(`longest event loop delay of the server: ${await metric('nodejs_eventloop_lag_max_seconds')} s`)
  const searched = (await metric('vigil_threat_messages')) ?? 0
  if (searched > 0) {
    const seconds = (await metric('vigil_threat_cpu_seconds')) ?? 0
    console.log(
      `detection: ${await metric('vigil_threat_filters')} filters, ${((seconds / searched) * 1e6).toFixed(2)} us of CPU a message, ${await metric('vigil_threat_found')} of ${searched} messages matched`,
    )
  }
  const stages = await fetch(`http://127.0.0.1:${PORT}/metrics`, { headers: { 'x-api-key': KEY } })
  const analysed = (await metric('vigil_inventory_messages')) ?? 1
  for (const line of (await stages.text()).split('\n')) {
    const match = /^vigil_stage_cpu_seconds\{stage="(\w+)"\} (\S+)$/.exec(line)
    if (match)
      console.log(
        `  ${match[1]!.padEnd(9)} ${((Number(match[2]) / analysed) * 1e6).toFixed(2)} us of CPU a message`,
      )
  }
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}
