/**
 * Runs Vigil and other tools, each as its documentation says to start it, against applications that nobody of this
 * project wrote, and prints what each reported, how many requests it sent, and how long it took.
 *
 *   node bench/comparison/run.ts [--targets vampi,vuln-bank] [--tools vigil,vigil-roles,schemathesis,wapiti] [--out FOLDER]
 *     [--vigil PROGRAM] [--schemathesis PROGRAM] [--wapiti PROGRAM]
 *
 * Every run gets a fresh copy of the application behind a proxy that counts requests. Reports are kept in the folder:
 * what they say is judged by a person (`docs/comparison.md`). A tool that is not installed is named and left out.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../test/server-process.ts'
import { TARGETS } from '../real-targets/catalogue.ts'
import { ACCOUNTS } from './accounts.ts'

const MAX_SECONDS = 900

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: 'vampi,vuln-bank' },
    tools: { type: 'string', default: 'vigil,vigil-roles,schemathesis,wapiti' },
    out: { type: 'string', default: join(tmpdir(), 'vigil-comparison') },
    vigil: { type: 'string', default: join(import.meta.dirname, '../../dist/cli/main.js') },
    schemathesis: { type: 'string', default: 'schemathesis' },
    wapiti: { type: 'string', default: 'wapiti' },
  },
})

interface Place {
  /** Address of the application behind the counting proxy. */
  readonly origin: string
  /** Address of its OpenAPI document. */
  readonly document: string
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
    command: ({ origin, document, folder }) => [
      values.wapiti,
      [
        '-u',
        `${origin}/`,
        '--swagger',
        document,
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
]

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
  const timer = setTimeout(() => child.kill('SIGINT'), MAX_SECONDS * 1000)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearTimeout(timer)
  return { code, seconds: (performance.now() - started) / 1000 }
}

const rows: string[] = []
for (const name of values.targets.split(',')) {
  const target = TARGETS.find((one) => one.name === name)
  const accounts = ACCOUNTS[name]
  if (target?.start === undefined || accounts === undefined) throw new Error(`${name} cannot be compared`)
  for (const toolName of values.tools.split(',')) {
    const tool = TOOLS.find((one) => one.name === toolName)
    if (tool === undefined) throw new Error(`there is no tool ${toolName}`)
    const folder = join(values.out, name, toolName)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const data = mkdtempSync(join(tmpdir(), `vigil-comparison-${name}-`))
    // A PostgreSQL server needs an unprivileged account.
    chmodSync(data, 0o755)
    const programs = process.env['VIGIL_TARGETS_FOLDER'] ?? join(homedir(), '.cache/vigil-real-targets')
    const running = await target.start({ programs, data, port: await freePort() })
    const proxy = await counting(new URL(running.origin))
    try {
      const roles = await accounts.prepare(running.origin)
      writeFileSync(join(folder, 'roles.yaml'), roles)
      const place = {
        origin: proxy.origin,
        document: `${proxy.origin}${accounts.document}`,
        target: name,
        folder,
      }
      const [command, args] = tool.command(place)
      const { code, seconds } = await run(command, args, folder)
      const found = tool.findings(place)
      rows.push(`| ${name} | ${toolName} | ${found} | ${proxy.count()} | ${seconds.toFixed(0)} | ${code} |`)
    } catch (error) {
      rows.push(`| ${name} | ${toolName} | - | ${proxy.count()} | - | ${(error as Error).message} |`)
    } finally {
      proxy.close()
      await running.stop()
      rmSync(data, { recursive: true, force: true })
    }
    console.log(rows.at(-1))
  }
}
console.log(
  `\n| Application | Tool | Reported | Requests | Seconds | Exit code |\n|---|---|---|---|---|---|\n${rows.join('\n')}`,
)
