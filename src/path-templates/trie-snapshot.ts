import { Observation } from './observation.ts'
import type { RulebookSnapshot } from './rulebook.ts'
import type { TemplateSegment } from './template.ts'
import type { TemplateNode } from './template-tree.ts'

/** JSON form of one observation; key shapes as base64 of 32-bit numbers. */
interface ObservationSnapshot {
  method: string
  path: string
  count: number
  firstSeen: number
  lastSeen: number
  status: number
  mediaType: string
  shape: string
  /** Left out when no segment was the name of a caller. */
  callers?: { segments: number; mark: number }
  /** Index in the templates. */
  template: number
}

/** One template in force. */
interface TemplateSnapshot {
  segments: readonly TemplateSegment[]
  isStated: boolean
  endpoints: { method: string; rankLimit: number | null }[]
}

/** JSON form of a whole trie: small enough for one row, enough to continue as if nothing had happened. */
export interface TrieSnapshot {
  version: 1
  observations: ObservationSnapshot[]
  templates: TemplateSnapshot[]
  rules: RulebookSnapshot
  /** Observations that the templates do not take into account yet. */
  fresh: number
  segmentsPerNode: number
}

export function packObservation(observation: Observation, template: number): ObservationSnapshot {
  const { method, path, count, firstSeen, lastSeen, status, mediaType, shape } = observation
  const { callerSegments: segments, callerMark: mark } = observation
  return {
    method,
    path,
    count,
    firstSeen,
    lastSeen,
    status,
    mediaType,
    shape: packShape(shape),
    template,
    ...(mark === null ? {} : { callers: { segments, mark } }),
  }
}

export function unpackObservation(packed: ObservationSnapshot, segments: readonly string[]): Observation {
  const observation = new Observation(packed.method, packed.path, segments, packed.firstSeen)
  observation.add(packed.count, packed.firstSeen, packed.lastSeen)
  observation.status = packed.status
  observation.mediaType = packed.mediaType
  observation.shape = unpackShape(packed.shape)
  if (packed.callers !== undefined)
    observation.addCallerSegments(packed.callers.segments, packed.callers.mark)
  return observation
}

export function packTemplate(node: TemplateNode): TemplateSnapshot {
  const endpoints = [...(node.endpoints?.values() ?? [])].map(({ method, rankLimit }) => ({
    method,
    rankLimit: Number.isFinite(rankLimit) ? rankLimit : null,
  }))
  return { segments: node.segments, isStated: node.isStated, endpoints }
}

function packShape(shape: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(shape.length * 4))
  for (const [i, hash] of shape.entries()) bytes.setInt32(i * 4, hash, true)
  return Buffer.from(bytes.buffer).toString('base64')
}

function unpackShape(text: string): number[] {
  const buffer = Buffer.from(text, 'base64')
  const shape: number[] = []
  for (let at = 0; at + 4 <= buffer.length; at += 4) shape.push(buffer.readInt32LE(at))
  return shape
}
