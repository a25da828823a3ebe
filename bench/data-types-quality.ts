/**
 * Precision and recall of the data types on seeded, labelled values: per type half true ones, half look-alikes (broken check
 * digits, order numbers, hashes, times, placeholders, true values under keys that mean something else).
 * Run: node bench/data-types-quality.ts [values per type] [seed]
 */
import { DATA_TYPES, detectDataTypes } from '../src/data-types/index.ts'
import { FINANCE_AND_HEALTH } from './data-types-quality/finance-health.ts'
import type { Generator } from './data-types-quality/generator.ts'
import type { Sample } from './data-types-quality/look-alikes.ts'
import { lookAlike, SILENT_KEYS } from './data-types-quality/look-alikes.ts'
import { NATIONAL_IDS } from './data-types-quality/national-ids.ts'
import { PERSON } from './data-types-quality/person.ts'
import { Random } from './data-types-quality/random.ts'
import { SECRETS } from './data-types-quality/secrets.ts'

const GENERATORS: Readonly<Record<string, Generator>> = {
  ...PERSON,
  ...NATIONAL_IDS,
  ...FINANCE_AND_HEALTH,
  ...SECRETS,
}
const GOALS = { PROOF: 0.98, NAME: 0.9, recall: 0.95 }

interface Score {
  readonly name: string
  readonly evidence: 'PROOF' | 'NAME'
  readonly precision: number
  readonly recall: number
  readonly misses: readonly Sample[]
  readonly falseHits: readonly Sample[]
}

function isReported(name: string, { value, key }: Sample): boolean {
  return detectDataTypes(value, { key, parentKey: '', location: 'RESPONSE_PAYLOAD' }).some(
    (hit) => hit.name === name,
  )
}

function scoreOf(
  name: string,
  evidence: 'PROOF' | 'NAME',
  generator: Generator,
  values: number,
  random: Random,
): Score {
  const half = Math.floor(values / 2)
  const truths = Array.from({ length: half }, (_, at): Sample => {
    const isSilent = generator.alone === true && at % 2 === 0
    return { value: generator.truth(random), key: random.pick(isSilent ? SILENT_KEYS : generator.keys) }
  })
  const others = Array.from({ length: values - half }, () => lookAlike(name, generator, random))
  const misses = truths.filter((sample) => !isReported(name, sample))
  const falseHits = others.filter((sample) => isReported(name, sample))
  const hits = truths.length - misses.length
  return {
    name,
    evidence,
    precision: hits / Math.max(1, hits + falseHits.length),
    recall: hits / half,
    misses,
    falseHits,
  }
}

const values = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? 1)
const scores: Score[] = []
const without: string[] = []
for (const { name, evidence } of DATA_TYPES) {
  const generator = GENERATORS[name]
  if (generator === undefined) without.push(name)
  else scores.push(scoreOf(name, evidence, generator, values, new Random(seed + scores.length)))
}
let belowGoal = 0
for (const { name, evidence, precision, recall, misses, falseHits } of scores) {
  const isBelow = precision < GOALS[evidence] || recall < GOALS.recall
  if (isBelow) belowGoal++
  console.log(
    `${name.padEnd(26)} ${evidence.padEnd(5)} precision ${precision.toFixed(3)} recall ${recall.toFixed(3)}${isBelow ? '  below goal' : ''}`,
  )
  for (const { key, value } of isBelow ? [...misses.slice(0, 3), ...falseHits.slice(0, 3)] : []) {
    console.log(`    ${key}: ${JSON.stringify(value).slice(0, 90)}`)
  }
}
const mean = (read: (score: Score) => number): string =>
  (scores.reduce((sum, score) => sum + read(score), 0) / scores.length).toFixed(4)
console.log(`types: ${scores.length}, values: ${scores.length * values}, seed: ${seed}`)
console.log(
  `mean precision ${mean((score) => score.precision)}, mean recall ${mean((score) => score.recall)}, below goal: ${belowGoal}`,
)
if (without.length > 0) console.log(`without generator: ${without.join(', ')}`)
process.exitCode = belowGoal > 0 || without.length > 0 ? 1 : 0
