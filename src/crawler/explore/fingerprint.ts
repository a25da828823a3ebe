import { createHash } from 'node:crypto'
import { stableId } from './page/describe-element.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'

/** What a state of a page looks like: exactly, and roughly. */
export interface Fingerprint {
  /** Hash of what can be acted on, headings and dialogs. */
  readonly exact: string
  /** 64-bit simhash of the sequence of tags, as two halves. */
  readonly rough: readonly [number, number]
}

/** Distance of rough fingerprints up to which two states count as one. */
export const ROUGH_DISTANCE = 3

/**
 * Fingerprint of a survey. Elements that only listen count as well: a control that appeared is a change even when it is
 * a bare `div`.
 */
export function fingerprintOf(survey: PageSurvey): Fingerprint {
  const parts = new Set<string>()
  for (const action of survey.actions) parts.add(actionLook(action))
  for (const field of survey.fields)
    parts.add(`field ${field.type} ${digits(field.name)} ${stableId(field.id)}`)
  for (const heading of survey.headings) parts.add(`h ${digits(heading)}`)
  parts.add(`dialogs ${survey.dialogs}`)
  const hash = createHash('sha256')
  for (const part of [...parts].sort()) hash.update(part).update('\n')
  return { exact: hash.digest('hex').slice(0, 16), rough: simhash(survey.tags.split(' ')) }
}

/** Kinds of events that elements begin to listen for only while they are used, for the sake of their looks. */
const passing = /^(?:mouseup|mousemove|pointerup|touchend)$/

/** How an element looks, positions and numbers aside. */
export function actionLook(action: PageAction): string {
  const events = action.events.filter((kind) => !passing.test(kind)).sort()
  return `${action.tag}|${action.role}|${action.id}|${action.classes}|${digits(action.name)}|${events.join(',')}|${action.isDisabled}`
}

/** Number of bits in which two rough fingerprints differ. */
export function roughDistance(left: readonly [number, number], right: readonly [number, number]): number {
  return bits(left[0] ^ right[0]) + bits(left[1] ^ right[1])
}

/** 64-bit simhash (Charikar 2002) of the shingles of three of a sequence. */
export function simhash(words: readonly string[]): readonly [number, number] {
  const weights = new Int32Array(64)
  for (let i = 0; i + 2 < words.length; i++) {
    const text = `${words[i]} ${words[i + 1]} ${words[i + 2]}`
    addBits(weights, 0, mix(text, 0x811c9dc5))
    addBits(weights, 32, mix(text, 0x2545f491))
  }
  return [half(weights, 0), half(weights, 32)]
}

function addBits(weights: Int32Array, from: number, hash: number): void {
  for (let bit = 0; bit < 32; bit++) weights[from + bit]! += (hash >>> bit) & 1 ? 1 : -1
}

function half(weights: Int32Array, from: number): number {
  let value = 0
  for (let bit = 0; bit < 32; bit++) if (weights[from + bit]! > 0) value |= 1 << bit
  return value >>> 0
}

function mix(text: string, seed: number): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

function bits(value: number): number {
  let rest = value >>> 0
  let count = 0
  for (; rest !== 0; rest &= rest - 1) count++
  return count
}

function digits(text: string): string {
  return text.replace(/\d+/g, '#').slice(0, 80)
}
