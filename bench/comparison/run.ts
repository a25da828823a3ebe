/**
 * Runs Vigil and other tools, each as its documentation says to start it, against applications that nobody of this
 * project wrote, and prints what each reported, how many requests it sent, and how long it took.
 *
 *   node bench/comparison/run.ts [--targets vampi,vuln-bank,restaurant] [--tools NAME,…] [--out FOLDER] [--seconds 600]
 *     [--vigil PROGRAM] [--schemathesis PROGRAM] [--wapiti PROGRAM] [--zap PROGRAM] [--nuclei PROGRAM] [--templates FOLDER]
 *
 * Every run gets a fresh copy of the application behind a proxy that counts requests, and is interrupted after `--seconds`.
 * Reports are kept in the folder: what they say is judged by a person (`docs/comparison.md`). For Vigil, the documented
 * weaknesses that its findings fit are printed, as in `bench/real-targets`. A tool that is not installed is named and left
 * out.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../test/server-process.ts'
import { TARGETS } from '../real-targets/catalogue.ts'
import { nameless } from '../real-targets/operations.ts'
import { weaknessesIn } from '../real-targets/score.ts'
import type { Target } from '../real-targets/target.ts'
import { ACCOUNTS } from './accounts.ts'

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: 'vampi,vuln-bank,restaurant' },
    tools: {
      type: 'string',
      default: 'vigil,vigil-roles,schemathesis,wapiti,zap,nuclei,nuclei-openapi',
    },
    seconds: { type: 'string', default: '600' },
    out: { type: 'string', default: join(tmpdir(), 'vigil-comparison') },
    vigil: { type: 'string', default: join(import.meta.dirname, '../../dist/cli/main.js') },
    schemathesis: { type: 'string', default: 'schemathesis' },
    wapiti: { type: 'string', default: 'wapiti' },
    zap: { type: 'string', default: 'zap-api-scan.py' },
    nuclei: { type: 'string', default: 'nuclei' },
    templates: { type: 'string', default: join(homedir(), 'nuclei-templates') },
  },
})

interface Place {
  /** Address of the application behind the counting proxy. */
  readonly origin: string
  /** Address of its OpenAPI document. */
  readonly document: string
  /** The document as a file whose server is the proxy, for tools that read no address. */
  readonly copy: string
  readonly target: string
  /** Where reports go. */
  readonly folder: string
}

interface Tool {
  readonly name: string
  readonly command: (place: Place) => readonly [string, readonly string[]]
  /** What it counts as a finding, from its reports. */
  readonly findings: (place: Place) => number
}

const vigil = (place: Place, more: readonly string[]): [string, readonly string[]] => [
  process.execPath,
  [
    values.vigil,
    'scan',
    place.document,
    '--target',
    place.origin,
    '--jsonl',
    join(place.folder, 'findings.jsonl'),
    '--markdown',
    join(place.folder, 'findings.md'),
    ...more,
  ],
]

const TOOLS: readonly Tool[] = [
  {
    name: 'vigil',
    command: (place) => vigil(place, []),
    findings: ({ folder }) => findingLines(join(folder, 'findings.jsonl')),
  },
  {
    name: 'vigil-roles',
    command: (place) => vigil(place, ['--roles', join(place.folder, 'roles.yaml'), '--write-level', 'all']),
    findings: ({ folder }) => findingLines(join(folder, 'findings.jsonl')),
  },
  {
    name: 'schemathesis',
    command: ({ document, origin, folder }) => [
      values.schemathesis,
      ['run', document, '--url', origin, '--report', 'junit', '--report-dir', folder],
    ],
    findings: ({ folder }) =>
      [...readFileSync(join(folder, 'output.txt'), 'utf8').matchAll(/^- .*$/gm)].length,
  },
  {
    name: 'wapiti',
    command: ({ origin, copy, folder }) => [
      values.wapiti,
      [
        '-u',
        `${origin}/`,
        '--swagger',
        copy,
        '-f',
        'json',
        '-o',
        join(folder, 'report.json'),
        '--flush-session',
      ],
    ],
    findings: ({ folder }) => {
      const { vulnerabilities } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
        vulnerabilities: Record<string, unknown[]>
      }
      return Object.values(vulnerabilities).flat().length
    },
  },
  {
    name: 'zap',
    command: ({ origin }) => [values.zap, ['-t', 'openapi.json', '-f', 'openapi', '-O', origin]],
    findings: ({ folder }) =>
      [...readFileSync(join(folder, 'output.txt'), 'utf8').matchAll(/^(?:WARN|FAIL)-NEW: .* \[\d+\]/gm)]
        .length,
  },
  {
    name: 'nuclei',
    command: ({ origin, folder }) => nuclei(folder, ['-u', origin]),
    findings: ({ folder }) => allLines(join(folder, 'findings.jsonl')),
  },
  {
    name: 'nuclei-openapi',
    command: (place) => nuclei(place.folder, ['-l', place.copy, '-im', 'openapi', '-dast']),
    findings: ({ folder }) => allLines(join(folder, 'findings.jsonl')),
  },
]

function nuclei(folder: string, target: readonly string[]): [string, readonly string[]] {
  const report = ['-jsonl-export', join(folder, 'findings.jsonl')]
  return [values.nuclei, [...target, '-t', values.templates, '-disable-update-check', ...report]]
}

/** Nothing found leaves no file. */
function allLines(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).length : 0
}

/** One line is a finding each; the last one is the summary. */
function findingLines(path: string): number {
  return readFileSync(path, 'utf8').trim().split('\n').length - 1
}

/** Passes everything on, and counts. */
async function counting(target: URL): Promise<{ origin: string; count: () => number; close: () => void }> {
  let requests = 0
  const proxy = createServer((incoming, outgoing) => {
    requests++
    const passed = send(
      {
        host: target.hostname,
        port: target.port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.rawHeaders,
        setHost: false,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    incoming.on('error', () => passed.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    count: () => requests,
    close: () => {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

async function run(
  command: string,
  args: readonly string[],
  folder: string,
): Promise<{ code: number | null; seconds: number }> {
  const output = openSync(join(folder, 'output.txt'), 'w')
  const started = performance.now()
  // Settings of Vigil that are meant for this script are none of the tools'.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VIGIL_')))
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', output, output] })
  const timer = setTimeout(() => child.kill('SIGINT'), Number(values.seconds) * 1000)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearTimeout(timer)
  return { code, seconds: (performance.now() - started) / 1000 }
}

/** The document of an application with the proxy as its only server. */
async function copyOf(document: string, origin: string, folder: string): Promise<string> {
  const text = (await (await fetch(document)).json()) as object
  const path = join(folder, 'openapi.json')
  writeFileSync(path, JSON.stringify({ ...text, servers: [{ url: origin }] }))
  return path
}

interface ReportedPlace {
  readonly method: string
  readonly path: string
  readonly testId: string
}

/** The documented weaknesses that Vigil's findings fit; null for other tools, whose reports a person reads. */
function documented(tool: Tool, { folder }: Place, target: Target): string {
  if (!tool.name.startsWith('vigil')) return 'by hand'
  const places = readFileSync(join(folder, 'findings.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { places?: readonly ReportedPlace[] }).places ?? [])
  const found = places.map(({ method, path, testId }) => ({
    test: testId,
    severity: '',
    at: nameless(`${method} ${path}`),
    reason: '',
  }))
  const { found: fitting, missed } = weaknessesIn(found, target.weaknesses)
  for (const { name, at } of missed) console.log(`  missed: ${name}, ${at}`)
  return `${fitting.length} of ${target.weaknesses.length}`
}

/** A run of a tool on a fresh copy of an application; its row of the table. */
async function row(target: Target, tool: Tool): Promise<string> {
  const accounts = ACCOUNTS[target.name]
  if (target.start === undefined || accounts === undefined)
    throw new Error(`${target.name} cannot be compared`)
  const folder = join(values.out, target.name, tool.name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const data = mkdtempSync(join(tmpdir(), `vigil-comparison-${target.name}-`))
  // A PostgreSQL server needs an unprivileged account.
  chmodSync(data, 0o755)
  const programs = process.env['VIGIL_TARGETS_FOLDER'] ?? join(homedir(), '.cache/vigil-real-targets')
  const running = await target.start({ programs, data, port: await freePort() })
  const proxy = await counting(new URL(running.origin))
  const cells = [target.name, tool.name]
  try {
    writeFileSync(join(folder, 'roles.yaml'), await accounts.prepare(running.origin))
    const document = `${proxy.origin}${accounts.document}`
    const copy = await copyOf(`${running.origin}${accounts.document}`, proxy.origin, folder)
    const place = { origin: proxy.origin, document, copy, target: target.name, folder }
    const [command, args] = tool.command(place)
    const before = loadavg()[0]!
    const { code, seconds } = await run(command, args, folder)
    const load = [before, loadavg()[0]!].map((value) => value.toFixed(0)).join(' to ')
    const found = tool.findings(place)
    cells.push(`${found}`, documented(tool, place, target), `${proxy.count()}`, seconds.toFixed(0), load)
    cells.push(`${code}`)
  } catch (error) {
    cells.push('-', '-', `${proxy.count()}`, '-', '-', (error as Error).message)
  } finally {
    proxy.close()
    await running.stop()
    rmSync(data, { recursive: true, force: true })
  }
  return `| ${cells.join(' | ')} |`
}

const rows: string[] = []
for (const name of values.targets.split(',')) {
  const target = TARGETS.find((one) => one.name === name)
  if (target === undefined) throw new Error(`there is no application ${name}`)
  for (const toolName of values.tools.split(',')) {
    const tool = TOOLS.find((one) => one.name === toolName)
    if (tool === undefined) throw new Error(`there is no tool ${toolName}`)
    rows.push(await row(target, tool))
    console.log(rows.at(-1))
  }
}
const head = ['Application', 'Tool', 'Reported', 'Documented weaknesses found', 'Requests', 'Seconds', 'Load']
console.log(
  `\n| ${[...head, 'Exit code'].join(' | ')} |\n|${'---|'.repeat(head.length + 1)}\n${rows.join('\n')}`,
)
