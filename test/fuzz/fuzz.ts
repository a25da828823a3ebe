import { seeded } from '../bad-input/mutations.ts'
import { mutate } from './mutate.ts'
import type { Parser } from './parsers.ts'

/** An input that broke a parser. */
export interface Fault {
  readonly parser: string
  readonly input: Buffer
  /** What happened, with the seed that leads to it. */
  readonly reason: string
}

export interface FuzzOptions {
  readonly seed: number
  /** Time for each parser. */
  readonly ms: number
  readonly maxInputs?: number
  readonly maxBytes?: number
  /** Called before each input is read: anyone who watches knows it when it is never done. */
  readonly onInput?: (parser: string, input: Buffer) => void
}

/** Longest time that an input of a few kilobytes may take. */
const HANG_MS = 1000
/** Most samples of one parser. */
const MAX_SAMPLES = 2000

/** What one parser was given. */
interface FuzzResult {
  readonly inputs: number
  /** Different outcomes, each of which made its input a sample. */
  readonly outcomes: number
  readonly slowestMs: number
  readonly faults: readonly Fault[]
}

/** Reads changed samples until the time is over or an input breaks the parser. */
export function fuzz(parser: Parser, options: FuzzOptions): FuzzResult {
  const { seed, ms, maxInputs = Number.POSITIVE_INFINITY, maxBytes = 16_384, onInput } = options
  const random = seeded(seed)
  const dice = (bound: number): number => Math.floor(random() * bound)
  const samples = [...parser.samples]
  const seen = new Set<string>()
  const faults: Fault[] = []
  const prototypeKeys = Object.getOwnPropertyNames(Object.prototype).length
  let inputs = 0
  let slowestMs = 0
  const end = performance.now() + ms
  while (inputs < maxInputs && performance.now() < end && faults.length === 0) {
    const input = mutate(samples, dice, maxBytes)
    onInput?.(parser.name, input)
    const found = runOnce(parser, input)
    inputs++
    slowestMs = Math.max(slowestMs, found.ms)
    const isPolluted = Object.getOwnPropertyNames(Object.prototype).length !== prototypeKeys
    const reason = found.error ?? (isPolluted ? 'it changed the prototype of every object' : undefined)
    if (reason !== undefined)
      faults.push({ parser: parser.name, input, reason: `seed ${seed}, input ${inputs}: ${reason}` })
    else if (!seen.has(found.outcome) && samples.length < MAX_SAMPLES) {
      seen.add(found.outcome)
      samples.push(input)
    }
  }
  return { inputs, outcomes: seen.size, slowestMs, faults }
}

function runOnce(parser: Parser, input: Buffer): { outcome: string; ms: number; error?: string } {
  const time = (): { outcome: string; ms: number } => {
    const start = performance.now()
    const outcome = parser.run(input)
    return { outcome, ms: performance.now() - start }
  }
  try {
    const first = time()
    // A busy machine may have paused the process: only what takes long again takes long.
    const ms = first.ms > HANG_MS ? Math.min(first.ms, time().ms, time().ms) : first.ms
    return ms > HANG_MS ? { ...first, ms, error: `it took ${Math.round(ms)} ms` } : { ...first, ms }
  } catch (error) {
    return { outcome: '', ms: 0, error: (error as Error).stack ?? String(error) }
  }
}
