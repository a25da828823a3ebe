import { KIND } from '../../http/index.ts'
import type { Location } from '../data-types/index.ts'
import type { TextBytes } from './body-bytes.ts'
import type { KeyNode, KeyTree } from './key-tree.ts'
import { countEmpty, type Lesson, learnKind, learnText, learnValue } from './value-types.ts'

/** Types by kind, as far as the kind tells the type. */
export const TYPE_OF_KIND = ['OTHER', 'INTEGER_32', 'FLOAT', 'TRUE', 'FALSE', 'NULL', 'OTHER'] as const

/** A value of a body that was found, and not learned. */
export interface FoundLeaf {
  /** One of {@link KIND}. */
  readonly kind: number
  readonly start: number
  readonly end: number
}

/** Learns a value of a body by its kind. */
export function learnLeaf(
  tree: KeyTree,
  node: KeyNode,
  texts: TextBytes,
  { kind, start, end }: FoundLeaf,
  location: Location,
  lesson: Lesson,
): void {
  if (kind === KIND.TEXT) learnText(tree, node, texts, start, end, location, lesson)
  else if (kind === KIND.EMPTY) countEmpty(tree, node, lesson)
  else if (kind > KIND.EMPTY || !learnKind(tree, node, TYPE_OF_KIND[kind]!, location, lesson)) {
    learnValue(tree, node, JSON.parse(texts.slice(start, end)), location, lesson)
  }
}
