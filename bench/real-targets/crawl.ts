/**
 * Crawls applications that nobody of this project wrote as their administrator, and counts what of their interface was
 * reached.
 *
 *   node bench/real-targets/crawl.ts NAME… [--modes full,safe] [--seconds 600] [--tabs 4] [--out FOLDER]
 *
 * Each application is installed, started and filled as `run.ts` does it. Operations that its interface can ask for were
 * counted in the sources of its front end (`apps/<name>-ui.ts`). An operation counts as reached when a page asked for it,
 * sent or held back; what the crawler read in scripts and asked for by itself is counted apart, and only where the answer
 * shows that there is such an operation. In mode `safe`, which is
 * AVOID, the database is compared with what it was before; `full`, which is ALLOW, is for copies to throw away, and comes
 * with a fresh one. Progress by the number of actions is printed beside the seconds, which depend on the machine. `--out` saves what was reached and what was not.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formLogin } from '../../src/crawler/index.ts'
import { freePort } from '../../test/server-process.ts'
import { type CrawlMeasure, describeCost, type RequestLine, runCrawl } from '../crawler/run-crawl.ts'
import { TARGETS } from './catalogue.ts'
import { nameless } from './operations.ts'
import { record } from './record.ts'
import { changesBetween, type TableChange } from './snapshot.ts'
import type { CrawlRecipe, Running, Target } from './target.ts'

/** Actions between two lines of progress. */
const PROGRESS_STEP = 100
const MODES = ['full', 'safe'] as const
type Mode = (typeof MODES)[number]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    modes: { type: 'string', default: MODES.join(',') },
    seconds: { type: 'string', default: '600' },
    tabs: { type: 'string', default: '4' },
    out: { type: 'string' },
  },
})

const rows: string[] = []
for (const name of positionals) {
  const target = TARGETS.find((each) => each.name === name)
  if (target?.crawl === undefined || target.start === undefined)
    throw new Error(`${name} has no recipe for a crawl: ${crawlable().join(', ')}`)
  for (const mode of values.modes.split(',') as Mode[]) rows.push(await crawled(target, target.crawl, mode))
}
console.log(
  [
    '',
    '| Application | Mode | End | Seconds | Loads, actions, probes | GET of the interface | Others of the interface | By pages themselves | Changed rows |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n'),
)

function crawlable(): string[] {
  return TARGETS.filter(({ crawl }) => crawl !== undefined).map(({ name }) => name)
}

async function crawled(target: Target, recipe: CrawlRecipe, mode: Mode): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), `vigil-target-${target.name}-`))
  chmodSync(data, 0o755)
  const programs = process.env['VIGIL_TARGETS_FOLDER'] ?? join(homedir(), '.cache/vigil-real-targets')
  mkdirSync(programs, { recursive: true })
  const running = await target.start!({ programs, data, port: await freePort() })
  try {
    await record(running.origin, await target.prepare(running.origin), ['owner', 'attacker', 'administrator'])
    const before = await running.database?.snapshot()
    const measure = await crawlAs(running, recipe, mode)
    const after = await running.database?.snapshot()
    const changes = before && after ? changesBetween(before, after, target.volatile) : []
    return reported(target, recipe, mode, measure, changes)
  } finally {
    await running.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

function crawlAs({ origin }: Running, recipe: CrawlRecipe, mode: Mode): Promise<CrawlMeasure> {
  const start = origin + recipe.start
  const login = formLogin({ startUrl: start, username: recipe.username, password: recipe.password })
  return runCrawl({
    start,
    seconds: Number(values.seconds),
    mode,
    tabs: Number(values.tabs),
    identity: recipe.username,
    signIn: async (context) => {
      const result = await login.authenticate(context, new AbortController().signal)
      if (result.kind === 'failed') throw new Error(result.text)
    },
  })
}

function reported(
  target: Target,
  { ui }: CrawlRecipe,
  mode: Mode,
  measure: CrawlMeasure,
  changes: readonly TableChange[],
): string {
  const isOfPage = ({ cause }: RequestLine): boolean => cause !== 'probe'
  const all = reachedOf(
    ui,
    measure.requests.filter((line) => isOfPage(line) || isKnownTo(line)),
  )
  const byPages = reachedOf(ui, measure.requests.filter(isOfPage))
  const share = (reached: ReadonlySet<string>, isRead: boolean): string => {
    const wanted = ui.filter((operation) => operation.startsWith('GET ') === isRead)
    const count = wanted.filter((operation) => reached.has(operation)).length
    return `${count} of ${wanted.length} (${Math.round((100 * count) / wanted.length)} %)`
  }
  const missed = ui.filter((operation) => !all.has(operation))
  console.log(`\n# ${target.name}, mode ${mode}\n${describeCost(measure)}\n${describeProgress(ui, measure)}`)
  for (const operation of missed) console.log(`not reached  ${operation}`)
  for (const { table, added, removed, changed, examples } of mode === 'safe' ? changes : [])
    console.log(
      `changed      ${table}: ${added} added, ${removed} removed, ${changed} changed; ${examples[0] ?? ''}`,
    )
  if (values.out !== undefined) save(values.out, `${target.name}-${mode}`, measure, missed)
  const { outcome } = measure
  const touched = changes.reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0)
  return `| ${[
    target.name,
    mode,
    outcome.end,
    outcome.seconds.toFixed(0),
    `${outcome.loads}, ${outcome.actions}, ${outcome.probes}`,
    share(all, true),
    share(all, false),
    `${share(byPages, true)}; ${share(byPages, false)}`,
    mode === 'safe' ? touched : '-',
  ].join(' | ')} |`
}

/** Operations that pages asked for during the first 100, 200, … actions: unlike seconds, these do not depend on the machine. */
function describeProgress(ui: readonly string[], { edges }: CrawlMeasure): string {
  const requests: Pick<RequestLine, 'method' | 'url' | 'outcome'>[] = []
  const steps: string[] = []
  let actions = 0
  for (const { action, calls } of edges) {
    for (const call of calls) {
      const [method = '', url = ''] = call.split(' ', 2)
      requests.push({ method, url, outcome: 'answered' })
    }
    if (action === 'load' || ++actions % PROGRESS_STEP !== 0) continue
    const reached = [...reachedOf(ui, requests)]
    const reads = reached.filter((operation) => operation.startsWith('GET ')).length
    steps.push(`${actions}: ${reads} + ${reached.length - reads}`)
  }
  return `operations by actions (GET + others): ${steps.join(', ')}`
}

/** Whether an answer to what the crawler guessed shows that the application has the operation, as the inventory wants it. */
function isKnownTo({ outcome, status }: RequestLine): boolean {
  return outcome === 'answered' && ![400, 401, 403, 404, 405, 415, 429, 501, 503].includes(status)
}

/** Operations that requests belong to; the template with the most literal segments wins. */
function reachedOf(
  ui: readonly string[],
  requests: readonly Pick<RequestLine, 'method' | 'url' | 'outcome'>[],
): ReadonlySet<string> {
  const literals = (operation: string): number => operation.split('/').filter((each) => each !== '{}').length
  const templates = [...ui]
    .sort((left, right) => literals(right) - literals(left))
    .map((operation) => ({ operation, pattern: patternOf(nameless(operation)) }))
  const reached = new Set<string>()
  for (const { method, url, outcome } of requests) {
    if (outcome === 'blocked') continue
    const asked = `${method} ${new URL(url).pathname.replace(/(.)\/$/, '$1')}`
    const found = templates.find(({ pattern }) => pattern.test(asked))
    if (found !== undefined) reached.add(found.operation)
  }
  return reached
}

function patternOf(operation: string): RegExp {
  const parts = operation.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

function save(folder: string, name: string, measure: CrawlMeasure, missed: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  const lines = measure.requests.map(
    ({ method, url, outcome, status, cause }) => `${method}\t${url}\t${outcome}\t${status}\t${cause}`,
  )
  writeFileSync(join(folder, `${name}-requests.tsv`), lines.join('\n'))
  writeFileSync(join(folder, `${name}-missed.txt`), missed.join('\n'))
  writeFileSync(join(folder, `${name}-edges.json`), JSON.stringify(measure.edges, null, 1))
  writeFileSync(join(folder, `${name}-summary.json`), JSON.stringify(measure.outcome, null, 1))
}
