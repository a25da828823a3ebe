/**
 * CPU of looking at messages with all shipped filters: ordinary messages as a multiple of a bare loop over their code
 * units, the growth from 40 filters to ten times as many, and hostile texts in milliseconds for each 4 KiB.
 * Run: node bench/threat/speed.ts [folder of filters]
 */
import type { ThreatMessage } from '../../src/threat/index.ts'
import { evaluateMessage, FilterSet } from '../../src/threat/index.ts'
import { compiled, filterTexts, variantOf } from './filters.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { labelledRequests, messageOf } from './messages.ts'

const ROUNDS = 15
/** Rounds before measuring: until some twenty thousand messages were seen, the compiler still makes better code. */
const WARM_ROUNDS = 80
const GROWN_FROM = 40

/** CPU time of this process in microseconds. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Least microseconds of a run over several rounds: other work on the machine only adds. */
function least(run: () => void, rounds = ROUNDS): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = cpuMicros()
    run()
    best = Math.min(best, cpuMicros() - start)
  }
  return best
}

/** The texts that a message consists of, as one flat text. */
function textOf({ exchange: { request } }: ThreatMessage): string {
  const text = request.target + request.headers.join('') + request.body
  return Buffer.from(text).toString()
}

let sink = 0

/** The floor: what reading each code unit once costs. */
function bareLoop(texts: readonly string[]): void {
  let sum = 0
  for (const text of texts) for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i)
  sink += sum
}

function lookAtAll(set: FilterSet, messages: readonly ThreatMessage[]): void {
  for (const message of messages) sink += evaluateMessage(set, message).hits.length
}

function sayOrdinary(set: FilterSet): number {
  const messages = labelledRequests()
    .filter((one) => one.set === 'rest')
    .map(messageOf)
  const texts = messages.map(textOf)
  const units = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  for (let i = 0; i < WARM_ROUNDS; i++) lookAtAll(set, messages)
  for (let i = 0; i < WARM_ROUNDS; i++) bareLoop(texts)
  // Many runs of the short one in a round: the clock of the CPU is coarse.
  const bare = least(() => {
    for (let i = 0; i < 20; i++) bareLoop(texts)
  })
  const bareMicros = bare / 20 / texts.length
  const micros = least(() => lookAtAll(set, messages)) / messages.length
  console.log(
    `ordinary, ${set.filters.length} filters: ${micros.toFixed(1)} µs a message of ${units.toFixed(0)} units, ` +
      `${(micros / bareMicros).toFixed(1)} times a bare loop (${bareMicros.toFixed(2)} µs)`,
  )
  return micros
}

function sayHostile(set: FilterSet): void {
  for (const { name, message } of HOSTILE_TEXTS) {
    const { request } = message.exchange
    const length = request.target.length + request.body.length + request.headers.join('').length
    const { isTruncated } = evaluateMessage(set, message)
    let worst = 0
    const micros = least(() => {
      const start = performance.now()
      sink += evaluateMessage(set, message).hits.length
      worst = Math.max(worst, performance.now() - start)
    }, 7)
    const perBlock = (micros / 1000 / Math.max(1, length / 4096)).toFixed(2)
    console.log(
      `hostile, ${name}: ${perBlock} ms for each 4 KiB (${(length / 1024).toFixed(0)} KiB, ` +
        `${(micros / 1000).toFixed(1)} ms, longest ${worst.toFixed(1)} ms${isTruncated ? ', truncated' : ''})`,
    )
  }
}

/** The same filters with nine others of each make beside them, that look for other words. */
function sayGrowth(texts: readonly string[]): void {
  const some = texts.slice(0, GROWN_FROM)
  const variants = some.flatMap((text) =>
    Array.from({ length: 9 }, (_, i) => compiled(variantOf(text, i + 1))),
  )
  const few = sayOrdinary(new FilterSet(some.map(compiled)))
  const many = sayOrdinary(new FilterSet([...some.map(compiled), ...variants]))
  console.log(`growth from ${some.length} to ${some.length * 10} filters: ${(many / few).toFixed(2)} times`)
}

const texts = filterTexts(process.argv[2])
const shipped = new FilterSet(texts.map(compiled))
sayOrdinary(shipped)
sayGrowth(texts)
sayHostile(shipped)
if (sink < 0) console.log(sink)
