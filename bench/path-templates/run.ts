/**
 * Labelled evaluation of path templates; see README.md beside it.
 * Run: node bench/path-templates/run.ts [--quick]
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { playCase, playMergeAndSplit } from './adversarial.ts'
import { adversarialCases } from './adversarial-cases.ts'
import { learn, type Outcome } from './measure.ts'
import { differingShare, exchangeDiffers } from './order.ts'
import { routeSets } from './routes.ts'
import { runMillion } from './scale.ts'
import {
  addScores,
  f1,
  groupAccuracy,
  overMerge,
  precision,
  recall,
  type Score,
  scoreOf,
  underMerge,
} from './score.ts'
import { DEFAULT_TRAFFIC, makeTraffic, type Operation, type Request } from './traffic.ts'

const SEEDS = process.argv.includes('--quick') ? [1] : [1, 2, 3]
const SHUFFLES = process.argv.includes('--quick') ? 3 : 10
const failures: string[] = []

function readOperations(): [string, Operation[]][] {
  const packed = readFileSync(new URL('data/operations.json.gz', import.meta.url))
  return Object.entries(JSON.parse(gunzipSync(packed).toString()) as Record<string, Operation[]>)
}

function gate(name: string, value: number, isMet: boolean, wanted: string): void {
  const text = `${name.padEnd(52)} ${value.toFixed(4).padStart(10)}   wanted ${wanted}`
  process.stdout.write(`${isMet ? 'ok    ' : 'MISSED'} ${text}\n`)
  if (!isMet) failures.push(name)
}

function percent(value: number): string {
  return (value * 100).toFixed(2).padStart(7)
}

function printHead(title: string): void {
  process.stdout.write(
    `\n${title}\n${'API'.padEnd(16)} ops     F1    prec  recall   group    over   under      µs   nodes  observations\n`,
  )
}

function printRow(name: string, score: Score, outcomes: readonly Outcome[]): void {
  const mean = (pick: (outcome: Outcome) => number) =>
    outcomes.length === 0 ? 0 : outcomes.reduce((sum, outcome) => sum + pick(outcome), 0) / outcomes.length
  const figures = [f1(score), precision(score), recall(score), groupAccuracy(score), overMerge(score)].map(
    percent,
  )
  const truths = String(Math.round(score.truths / Math.max(1, outcomes.length || SEEDS.length)))
  process.stdout.write(
    `${name.padEnd(16)}${truths.padStart(5)} ${figures.join(' ')} ${underMerge(score).toFixed(3).padStart(7)} ` +
      `${mean((o) => o.microsecondsPerRequest)
        .toFixed(1)
        .padStart(7)} ${mean((o) => o.nodes)
        .toFixed(0)
        .padStart(7)} ` +
      `${mean((o) => o.observations)
        .toFixed(0)
        .padStart(7)}\n`,
  )
}

interface Variant {
  title: string
  seeds: readonly number[]
  perOperation?: number
  change?: (requests: Request[]) => Request[]
  noiseIsAdmitted?: boolean
}

/** Learns every API with every seed, prints a row each and the micro average without GitHub. */
function runSet(apis: readonly (readonly [string, readonly Operation[]])[], variant: Variant) {
  printHead(variant.title)
  const scores = new Map<string, Score>()
  let slowest = 0
  for (const [api, operations] of apis) {
    const outcomes = variant.seeds.map((seed) => {
      const perOperation = variant.perOperation ?? DEFAULT_TRAFFIC.perOperation
      const made = makeTraffic(api, operations, { ...DEFAULT_TRAFFIC, seed, perOperation })
      return learn(variant.change ? variant.change(made) : made, variant.noiseIsAdmitted)
    })
    const score = addScores(outcomes.map(({ rows }) => scoreOf(rows)))
    scores.set(api, score)
    slowest = Math.max(slowest, ...outcomes.map((outcome) => outcome.microsecondsPerRequest))
    printRow(api, score, outcomes)
  }
  const micro = addScores([...scores].filter(([api]) => api !== 'github').map(([, score]) => score))
  printRow(scores.has('github') ? 'without GitHub' : 'together', micro, [])
  return { micro, github: scores.get('github'), slowest }
}

function withoutKeys(requests: Request[]): Request[] {
  return requests.map((request) => ({ ...request, keys: [] }))
}

function withEnding(requests: Request[]): Request[] {
  const add = (path: string) => path.replace(/\/?(?=\?|$)/, '.json')
  return requests.map((request) => ({
    ...request,
    path: add(request.path),
    truth: request.truth === null ? null : add(request.truth),
  }))
}

const apis = readOperations()
const base = runSet(apis, { title: `A: six APIs, seeds ${SEEDS.join(', ')}`, seeds: SEEDS })
runSet(apis, { title: "A': without key names", seeds: [1], change: withoutKeys })
runSet(apis, { title: "A': a fifth of the requests", seeds: [1], perOperation: 20 })
const suffixed = runSet(apis, { title: "A': every path ends in .json", seeds: [1], change: withEnding })
runSet(apis, { title: "A': scanner noise answered with 200", seeds: [1], noiseIsAdmitted: true })
const sets = routeSets()
const named = (isReal: boolean) =>
  sets.filter((set) => set.isReal === isReal).map((set) => [set.name, set.operations] as const)
const real = runSet(named(true), { title: 'B: routes of real applications', seeds: SEEDS })
const made = runSet(named(false), { title: 'Hold-out: made-up interfaces', seeds: SEEDS })

process.stdout.write('\nC: adversarial cases\n')
const byKind = new Map<string, { passed: number; failed: string[] }>()
for (const one of adversarialCases()) note(one.kind, one.name, playCase(one))
for (let seed = 1; seed <= 11; seed++) note('15 split(merge(x)) = x', `seed ${seed}`, playMergeAndSplit(seed))
let failedCases = 0
for (const [kind, { passed, failed }] of byKind) {
  process.stdout.write(
    `${failed.length === 0 ? 'pass' : 'FAIL'} ${passed}/${passed + failed.length} ${kind}\n`,
  )
  for (const text of failed) process.stdout.write(`       ${text}\n`)
  failedCases += failed.length
}

process.stdout.write(`\nD: ${SHUFFLES} shuffles, exchange between two tries, a million distinct URLs\n`)
let differing = 0
let compared = 0
let exchanged = 0
for (const [api, operations] of apis) {
  const requests = makeTraffic(api, operations, DEFAULT_TRAFFIC)
  const { templates, differ } = differingShare(requests, SHUFFLES)
  compared += templates
  differing += differ
  const isSame = !exchangeDiffers(requests)
  if (!isSame) exchanged++
  process.stdout.write(
    `${api.padEnd(16)} ${templates} templates, ${differ} differ; after exchange ${isSame ? 'same' : 'NOT the same'}\n`,
  )
}
const million = runMillion()
process.stdout.write(
  `million: ${million.microseconds.toFixed(1)} µs a request, at most ${million.nodes} nodes, ${million.observations} observations, ` +
    `${million.megabytes.toFixed(0)} MB of heap, longest step ${million.longestStep.toFixed(0)} ms, ${million.templates} templates\n\n`,
)

gate('F1 over the six without GitHub', f1(base.micro), f1(base.micro) >= 0.95, '>= 0.95')
if (base.github) gate('F1 on GitHub', f1(base.github), f1(base.github) >= 0.85, '>= 0.85')
gate('group accuracy without GitHub', groupAccuracy(base.micro), groupAccuracy(base.micro) >= 0.96, '>= 0.96')
gate('over-merge without GitHub', overMerge(base.micro), overMerge(base.micro) <= 0.01, '<= 0.01')
if (base.github)
  gate('over-merge on GitHub', overMerge(base.github), overMerge(base.github) <= 0.01, '<= 0.01')
gate('F1 where every path ends in .json', f1(suffixed.micro), f1(suffixed.micro) >= 0.95, '>= 0.95')
gate('F1 on routes of real applications', f1(real.micro), f1(real.micro) >= 0.95, '>= 0.95')
gate('F1 on the hold-out', f1(made.micro), f1(made.micro) >= 0.85, '>= 0.85')
gate(
  'templates that differ between shuffles',
  differing / compared,
  differing / compared <= 0.005,
  '<= 0.005',
)
gate('APIs that differ after an exchange', exchanged, exchanged === 0, '0')
gate('adversarial cases that fail', failedCases, failedCases === 0, '0')
gate('µs a request, slowest API', base.slowest, base.slowest <= 50, '<= 50')
gate('µs a request over a million URLs', million.microseconds, million.microseconds <= 50, '<= 50')
gate('nodes over a million URLs', million.nodes, million.nodes <= 50_000, '<= 50000')
gate('observations over a million URLs', million.observations, million.observations <= 20_000, '<= 20000')
process.exitCode = failures.length === 0 ? 0 : 1

function note(kind: string, name: string, wrong: readonly string[]): void {
  const entry = byKind.get(kind) ?? { passed: 0, failed: [] }
  if (wrong.length === 0) entry.passed++
  else entry.failed.push(`${name}: ${wrong.join('; ')}`)
  byKind.set(kind, entry)
}
