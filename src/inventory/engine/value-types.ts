import {
  basicSubtype,
  detectDataTypes,
  isSensitive,
  type Location,
  type SubType,
} from '../data-types/index.ts'
import type { Fact, TouchedFacts } from './fact.ts'
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
  if (isDue(node)) learnJudged(tree, node, value, location, lesson)
  else count(tree, node, assumedType(node, value), location, lesson)
}

/** {@link learnValue} for a text that is part of another, so that it is cut out only when it is looked at. */
export function learnText(
  tree: KeyTree,
  node: KeyNode,
  whole: string,
  start: number,
  end: number,
  location: Location,
  lesson: Lesson,
): void {
  if (isDue(node)) learnJudged(tree, node, whole.slice(start, end), location, lesson)
  else if (node.usualText !== 'GENERIC' || !startsLikeNumber(whole.charCodeAt(start)))
    count(tree, node, node.usualText, location, lesson)
  else count(tree, node, assumedType(node, whole.slice(start, end)), location, lesson)
}

/** {@link learnValue} for a value of which only the basic type is known; false, and nothing learned, when it is due. */
export function learnKind(
  tree: KeyTree,
  node: KeyNode,
  basic: SubType,
  location: Location,
  lesson: Lesson,
): boolean {
  if (node.verdicts < VERDICTS_BEFORE_SAMPLING || node.ticks % SAMPLE_EVERY === 0) return false
  node.ticks++
  const isNumber = basic === 'INTEGER_32' || basic === 'FLOAT'
  count(tree, node, isNumber && node.last?.isSensitive ? node.last.type : basic, location, lesson)
  return true
}

/** Counts an empty object or array. */
export function countEmpty(tree: KeyTree, node: KeyNode, lesson: Lesson): void {
  tree.fact(node, 'OTHER', lesson.at).touch(lesson.at, lesson.touched)
}

/** True when the detectors are to be asked about the node's next value, which is thereby counted. */
function isDue(node: KeyNode): boolean {
  return node.verdicts < VERDICTS_BEFORE_SAMPLING || node.ticks++ % SAMPLE_EVERY === 0
}

function learnJudged(tree: KeyTree, node: KeyNode, value: unknown, location: Location, lesson: Lesson): void {
  const fact = count(tree, node, judge(node, value, location), location, lesson)
  if (!fact.isSensitive && lesson.keepsValues && value !== null && typeof value !== 'object')
    fact.noteValue(value)
}

function count(tree: KeyTree, node: KeyNode, type: string, location: Location, lesson: Lesson): Fact {
  let fact = node.last
  if (fact === null || fact.type !== type) {
    fact = tree.fact(node, type, lesson.at)
    if (!fact.isSensitive && isSensitive(type, location)) {
      fact.isSensitive = true
      fact.isChanged = true
    }
  }
  if (fact.isSensitive) {
    const met = tree.isResponse ? lesson.sensitiveInResponse : lesson.sensitiveInRequest
    if (!met.includes(type)) met.push(type)
  }
  fact.touch(lesson.at, lesson.touched)
  return fact
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
  if (!startsLikeNumber(value.charCodeAt(0))) return node.usualText
  const basic = basicSubtype(value)
  return isNumberLike(basic) && node.usualText === 'GENERIC' ? basic : node.usualText
}

/** A number at a key that holds sensitive numbers (card numbers as JSON numbers) keeps that type. */
function numberType(node: KeyNode, value: number): string {
  return node.last?.isSensitive ? node.last.type : basicSubtype(value)
}

function startsLikeNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45
}

function isNumberLike(type: string): boolean {
  return type === 'INTEGER_32' || type === 'INTEGER_64' || type === 'FLOAT'
}
