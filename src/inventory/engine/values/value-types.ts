import {
  basicSubtype,
  detectNested,
  type Location,
  type SubType,
  type TypeRules,
  type ValueContext,
} from '../../../data-types/index.ts'
import {
  type Fact,
  type KeyNode,
  type KeyTree,
  MAX_EXAMPLE_LENGTH,
  type PendingCounts,
  type TouchedFacts,
} from '../state/index.ts'
import type { TextBytes } from './body-bytes.ts'
import type { FastPaths } from './fast-paths.ts'
import { holdsSensitive } from './sensitive-text.ts'
import { type TypeList, withType } from './type-list.ts'
import { builtInType, judgedText, withCustomTypes } from './types-of-value.ts'

/** Every key is judged this often before values are only sampled … */
const VERDICTS_BEFORE_SAMPLING = 100
/** … one in so many, and after so many verdicts one in as many. */
const SAMPLE_EVERY = 20
const VERDICTS_BEFORE_REST = 200
export const SAMPLE_RARELY = 64
/** Shorter texts hold nothing encoded that is worth finding. */
const MIN_ENCODED = 16
/** So many values of a key are decoded, then one of so many that are judged. */
const DECODED_FULLY = 10
const DECODE_EVERY = 8

/** What one message teaches, passed along while its values are walked. */
export interface LearningContext {
  readonly at: number
  readonly touched: TouchedFacts
  /** What holds counts that facts do not have yet. */
  readonly pending: PendingCounts[]
  /** Values may be kept as examples. */
  readonly keepsValues: boolean
  /** What people decided about data types. */
  readonly rules: TypeRules
  readonly fastPaths: FastPaths
  /** Sensitive types met in this message, request and response apart. */
  sensitiveInRequest: TypeList
  sensitiveInResponse: TypeList
}

/** Notes a sensitive type that was met in the request or the response. */
export function noteSensitive(context: LearningContext, isResponse: boolean, type: string): void {
  if (isResponse) context.sensitiveInResponse = withType(context.sensitiveInResponse, type)
  else context.sensitiveInRequest = withType(context.sensitiveInRequest, type)
}

/** Learns one leaf value at a node: its type is counted, and sampled values are judged by the detectors. */
export function learnValue(
  tree: KeyTree,
  node: KeyNode,
  value: unknown,
  location: Location,
  context: LearningContext,
): void {
  if (isDue(node)) learnJudged(tree, node, value, location, context)
  else count(tree, node, assumedType(node, value), location, context)
}

/** {@link learnValue} for a text that is part of another, so that it is cut out only when it is looked at. */
export function learnText(
  tree: KeyTree,
  node: KeyNode,
  whole: TextBytes,
  start: number,
  end: number,
  location: Location,
  context: LearningContext,
): void {
  if (isDue(node)) learnJudged(tree, node, whole.slice(start, end), location, context)
  else if (node.usualText !== 'GENERIC' || !mayBeNumber(whole.bytes, start, end))
    count(tree, node, node.usualText, location, context)
  else count(tree, node, assumedType(node, whole.slice(start, end)), location, context)
}

/** True when the values of a node are judged only now and then. */
export function isSettled(node: KeyNode): boolean {
  return node.verdicts >= VERDICTS_BEFORE_SAMPLING
}

/** What a text that is not judged counts for at a node; null when that must be asked of every value. */
export function usualFact(node: KeyNode): Fact | null {
  if (node.last !== null && isNumberLike(node.last.type)) return null
  return node.facts.find(({ type }) => type === node.usualText) ?? null
}

/** Learns a text of a node that usually holds ordinary ones when it is a number; false, and nothing is learned, when it is none. */
export function learnOther(
  tree: KeyTree,
  node: KeyNode,
  whole: TextBytes,
  start: number,
  end: number,
  location: Location,
  context: LearningContext,
): boolean {
  if (!mayBeNumber(whole.bytes, start, end)) return false
  const type = assumedType(node, whole.slice(start, end))
  if (type === node.usualText) return false
  count(tree, node, type, location, context)
  return true
}

/** {@link learnValue} for a value of which only the basic type is known; false, and nothing learned, when it is due. */
export function learnKind(
  tree: KeyTree,
  node: KeyNode,
  basic: SubType,
  location: Location,
  context: LearningContext,
): boolean {
  if (node.ticks === 0) return false
  node.ticks--
  const isNumber = basic === 'INTEGER_32' || basic === 'FLOAT'
  count(tree, node, isNumber && node.last?.isSensitive ? node.last.type : basic, location, context)
  return true
}

/** Counts an empty object or array. */
export function countEmpty(tree: KeyTree, node: KeyNode, context: LearningContext): void {
  tree.fact(node, 'OTHER', context.at).touch(context.at, context.touched)
}

/** True when the detectors are to be asked about the node's next value; else it is one less until then. */
function isDue(node: KeyNode): boolean {
  if (node.ticks === 0) return true
  node.ticks--
  return false
}

/** Values of a key that are not judged after so many verdicts on it. */
function unjudgedAfter(verdicts: number): number {
  if (verdicts < VERDICTS_BEFORE_SAMPLING) return 0
  return (verdicts < VERDICTS_BEFORE_REST ? SAMPLE_EVERY : SAMPLE_RARELY) - 1
}

function learnJudged(
  tree: KeyTree,
  node: KeyNode,
  value: unknown,
  location: Location,
  context: LearningContext,
): void {
  if (typeof value === 'string' && value.length >= MIN_ENCODED)
    learnNested(tree, node, value, location, context)
  const known = node.facts.length
  const type = judge(tree, node, value, location, context)
  const fact = count(tree, node, type, location, context)
  // What nobody expected here is no accident until a hundred more values were looked at.
  if (isSettled(node) && node.facts.length > known) node.verdicts = 0
  node.ticks = unjudgedAfter(node.verdicts)
  if (fact.isSensitive || !context.keepsValues || value === null || typeof value === 'object') return
  if (!context.rules.mayShow(type, location, node.key, value)) return
  const mayHold = typeof value === 'string' && value.length <= MAX_EXAMPLE_LENGTH
  if (!mayHold || !holdsSensitive(value, location, context.rules)) fact.noteValue(value)
}

/**
 * Sensitive types inside an encoded value (claims of a token, JSON in base64) are counted at the parameter that holds it,
 * with the way to them. Of the judged values only a part is decoded.
 */
function learnNested(
  tree: KeyTree,
  node: KeyNode,
  value: string,
  location: Location,
  context: LearningContext,
): void {
  if (node.verdicts >= DECODED_FULLY && node.verdicts % DECODE_EVERY !== 0) return
  const { rules } = context
  for (const { name, route, innerKey } of detectNested(value, node.name, {
    key: node.key,
    parentKey: node.parentKey,
    location,
  })) {
    if (rules.inactive?.has(name) || !rules.isSensitive(name, location, innerKey)) continue
    count(tree, node, name, location, context).noteRoute(route)
  }
}

function count(
  tree: KeyTree,
  node: KeyNode,
  type: string,
  location: Location,
  context: LearningContext,
): Fact {
  let fact = node.last
  if (fact === null || fact.type !== type) {
    fact = tree.fact(node, type, context.at)
    if (!fact.isSensitive && context.rules.isSensitive(type, location, node.key)) {
      fact.isSensitive = true
      fact.isChanged = true
    }
  }
  if (fact.isSensitive) noteSensitive(context, tree.isResponse, type)
  fact.touch(context.at, context.touched)
  return fact
}

/** The detectors' word on a value, else its basic subtype. Further types that people defined are counted beside it. */
function judge(
  tree: KeyTree,
  node: KeyNode,
  value: unknown,
  location: Location,
  context: LearningContext,
): string {
  node.verdicts++
  const basic = basicSubtype(value)
  const { rules } = context
  const valueContext = contextOf(node, location)
  const text = judgedText(value)
  let type = text === null ? basic : (builtInType(text, valueContext, rules) ?? basic)
  if (rules.custom !== null && value !== null && typeof value !== 'object') {
    const types = withCustomTypes(text ?? String(value), type, valueContext, rules)
    for (let i = 1; i < types.length; i++) count(tree, node, types[i]!, location, context)
    type = types[0]!
  }
  if (typeof value === 'string' && text !== null && !isNumberLike(basic)) node.usualText = type
  return type
}

/** What the detectors are told of the value being judged; one object for all, because it lasts no longer. */
const told: { key: string; parentKey: string; location: Location } = {
  key: '',
  parentKey: '',
  location: 'REQUEST_PAYLOAD',
}

function contextOf(node: KeyNode, location: Location): ValueContext {
  told.key = node.key
  told.parentKey = node.parentKey
  told.location = location
  return told
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

/** False for bytes that are surely no number. */
function mayBeNumber(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end || !startsLikeNumber(bytes[start]!)) return false
  let points = 0
  for (let at = start + 1; at < end; at++) {
    const code = bytes[at]!
    // Versions and addresses have several points.
    if (code === 46 && ++points > 1) return false
    // Digits, point and signs stand together, an exponent beside them.
    if ((code < 43 || code > 57) && (code | 32) !== 101) return false
  }
  return true
}

/** True for the types of numbers. */
function isNumberLike(type: string): boolean {
  return type === 'INTEGER_32' || type === 'INTEGER_64' || type === 'FLOAT'
}
