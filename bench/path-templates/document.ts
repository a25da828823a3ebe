/**
 * The labelled evaluation for OpenAPI documents of one's own; see README.md beside it.
 * Run: node bench/path-templates/document.ts [--wrong] FILE …
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { normalisePath } from '../../src/path-templates/index.ts'
import { importText } from '../../src/traffic/index.ts'
import { learn } from './measure.ts'
import { addScores, f1, groupAccuracy, overMerge, precision, recall, type Score, scoreOf } from './score.ts'
import { DEFAULT_TRAFFIC, makeTraffic, type Operation } from './traffic.ts'

const SEEDS = [1, 2]
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const showsWrong = process.argv.includes('--wrong')

/** The operations of a document as traffic is made from them; those that differ in nothing of the path count once. */
function operationsOf(file: string): Operation[] {
  const { declared } = importText(readFileSync(file), { fileName: basename(file) })
  const operations = new Map<string, Operation>()
  for (const { method, path, parameters, requests, responses } of declared) {
    const template = normalisePath(path).path
    const success = responses.find(({ status }) => /^2\d\d$/.test(status))
    operations.set(`${method} ${template}`, {
      path: template,
      method,
      code: Number(success?.status ?? 200),
      text: success?.mediaType ?? '',
      params: parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name, type, format, example }) => ({ name, type, format, example })),
      resp: success?.keys.map(({ key, required }) => [key, required] as const) ?? [],
      req: requests[0]?.keys.map(({ key, required }) => [key, required] as const) ?? [],
    })
  }
  return [...operations.values()]
}

function print(name: string, count: number, score: Score): void {
  const figures = [f1(score), precision(score), recall(score), groupAccuracy(score), overMerge(score)]
  const shown = figures.map((share) => (share * 100).toFixed(2).padStart(7)).join(' ')
  process.stdout.write(`${name.padEnd(24)}${String(count).padStart(6)} ${shown}\n`)
}

process.stdout.write(`${'document'.padEnd(24)}   ops      F1    prec  recall   group    over\n`)
const scores: Score[] = []
let total = 0
for (const file of files) {
  const operations = operationsOf(file)
  const api = basename(file)
  const runs = SEEDS.map((seed) => learn(makeTraffic(api, operations, { ...DEFAULT_TRAFFIC, seed })).rows)
  const score = addScores(runs.map(scoreOf))
  print(api, operations.length, score)
  scores.push(score)
  total += operations.length
  if (!showsWrong) continue
  const wrong = new Set(
    runs[0]!
      .filter((row) => row.truth !== row.predicted)
      .map((row) => `${row.method} ${row.truth} came out as ${row.predicted}`),
  )
  for (const line of wrong) process.stdout.write(`    ${line}\n`)
}
print('together', total, addScores(scores))
