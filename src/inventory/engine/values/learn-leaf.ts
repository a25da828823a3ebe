import type { Location } from '../../../data-types/index.ts'
import { KIND } from '../../../http/index.ts'
import type { KeyNode, KeyTree } from '../state/index.ts'
import type { TextBytes } from './body-bytes.ts'
import { countEmpty, type LearningContext, learnKind, learnText, learnValue } from './value-types.ts'

/** Types by kind, as far as the kind tells the type. */
export const TYPE_OF_KIND = ['OTHER', 'INTEGER_32', 'FLOAT', 'TRUE', 'FALSE', 'NULL', 'OTHER'] as const

/** Learns a value of a body by its kind, one of {@link KIND}. */
export function learnLeaf(
  tree: KeyTree,
  node: KeyNode,
  texts: TextBytes,
  kind: number,
  start: number,
  end: number,
  location: Location,
  context: LearningContext,
): void {
  if (kind === KIND.TEXT) learnText(tree, node, texts, start, end, location, context)
  else if (kind === KIND.EMPTY) countEmpty(tree, node, context)
  else if (kind > KIND.EMPTY || !learnKind(tree, node, TYPE_OF_KIND[kind]!, location, context)) {
    learnValue(tree, node, JSON.parse(texts.slice(start, end)), location, context)
  }
}
