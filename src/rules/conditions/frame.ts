import type { TermDefinition } from '../terms/term.ts'
import type { ExtractNode, Measure } from './node.ts'

/** What stands above a node while it is judged. */
export interface Frame {
  readonly term: TermDefinition | null
  readonly part: 'key' | 'value' | null
  readonly measure: Measure | null
  readonly isForAll: boolean
  /** A `key` was judged before among these siblings. */
  readonly keySeen: boolean
  /** Extractions wait here, each with its frame, until the collection is judged; null: they run in place. */
  readonly deferred: { node: ExtractNode; frame: Frame }[] | null
}
