import { basicSubtype, detectDataTypes, isSensitive, type Location } from '../data-types/index.ts'
import type { TouchedFacts } from './fact.ts'
import type { KeyNode, KeyTree } from './key-tree.ts'

/** Every key is judged this often before values are only sampled … */
const VERDICTS_BEFORE_SAMPLING = 100
/** … one in so many. */
const SAMPLE_EVERY = 20
/** Types of the detectors that only describe a value; the basic subtype is the better name for a parameter. */
const MAX_VALUE_LENGTH = 65_536

/** What one message teaches, passed along while its values are walked. */
export interface Lesson {
  readonly at: number
  readonly touched: TouchedFacts
  /** Values may be kept as examples. */
  readonly keepsValues: boolean
  /** Names of sensitive types met in this message, request and response apart; few, so plain lists. */
  readonly sensitiveInRequest: string[]
  readonly sensitiveInResponse: string[]
}

/** Learns one leaf value at a node: its type is counted, and sampled values are judged by the detectors. */
export function learnValue(
  tree: KeyTree,
  node: KeyNode,
  value: unknown,
  location: Location,
  lesson: Lesson,
): void {
  const isJudged = node.verdicts < VERDICTS_BEFORE_SAMPLING || node.ticks++ % SAMPLE_EVERY === 0
  const type = isJudged ? judge(node, value, location) : assumedType(node, value)
  const isNew = node.last === null || node.last.type !== type
  const fact = tree.fact(node, type, lesson.at)
  if (isNew && !fact.isSensitive && isSensitive(type, location)) {
    fact.isSensitive = true
    fact.isChanged = true
  }
  if (fact.isSensitive) {
    const met = tree.isResponse ? lesson.sensitiveInResponse : lesson.sensitiveInRequest
    if (!met.includes(type)) met.push(type)
  } else if (isJudged && lesson.keepsValues && value !== null && typeof value !== 'object') {
    fact.noteValue(value)
  }
  fact.touch(lesson.at, lesson.touched)
}

/** The detectors' word on a value, else its basic subtype. */
function judge(node: KeyNode, value: unknown, location: Location): string {
  node.verdicts++
  const basic = basicSubtype(value)
  if (typeof value === 'string' ? value.length > MAX_VALUE_LENGTH : typeof value !== 'number') return basic
  const text = typeof value === 'string' ? value : String(value)
  const found = detectDataTypes(text, { key: node.key, parentKey: node.parentKey, location })
  const best = found[0]
  const type = best === undefined ? basic : best.name
  if (typeof value === 'string' && !isNumberLike(basic)) node.usualText = type
  return type
}

/** Type of a value that is not judged: what its kind tells, and for texts what this key usually holds. */
function assumedType(node: KeyNode, value: unknown): string {
  if (typeof value !== 'string')
    return node.last !== null && typeof value === 'number' ? numberType(node, value) : basicSubtype(value)
  const first = value.charCodeAt(0)
  const looksNumeric = (first >= 48 && first <= 57) || first === 45
  if (!looksNumeric) return node.usualText
  const basic = basicSubtype(value)
  return isNumberLike(basic) && node.usualText === 'GENERIC' ? basic : node.usualText
}

/** A number at a key that holds sensitive numbers (card numbers as JSON numbers) keeps that type. */
function numberType(node: KeyNode, value: number): string {
  return node.last?.isSensitive ? node.last.type : basicSubtype(value)
}

function isNumberLike(type: string): boolean {
  return type === 'INTEGER_32' || type === 'INTEGER_64' || type === 'FLOAT'
}
