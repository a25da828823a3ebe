import type { Scalar } from '../variables/variables.ts'
import { scalarOf } from '../variables/variables.ts'
import type { Frame } from './frame.ts'
import type { Matches } from './matches.ts'
import { measured } from './measure.ts'
import type { ExtractNode } from './node.ts'
import type { Scene } from './scene.ts'

/**
 * What an extraction saves where it stands: under `key` names, under `value` a list of values, under a measure the
 * figure, after matches their names, otherwise the part of the message. Undefined: nothing was matched.
 */
export function extractedBy(
  node: ExtractNode,
  matches: Matches,
  frame: Frame,
  scene: Scene,
): Scalar | readonly Scalar[] | undefined {
  const { term, part, measure } = frame
  if (measure !== null && term !== null) return measured(term, measure, scene) ?? undefined
  if (part === 'value') {
    // An extraction without a comparison beside it takes what is there.
    const values = matches === null ? (term?.named?.(scene).values ?? []).map(({ value }) => value) : matches
    const scalars = [...values.values()].map(scalarOf)
    if (scalars.length === 0) return undefined
    return node.isMultiple ? scalars : [scalars[0]!]
  }
  if (matches !== null && matches.size > 0) {
    const names = [...matches.keys()]
    return node.isMultiple ? names : names[0]
  }
  if (part === 'key' || term === null) return undefined
  return term.extracted === undefined ? term.whole(scene) : term.extracted(scene)
}
