import type { Scene } from '../conditions/scene.ts'
import type { BodyView } from '../messages/body-view.ts'
import type { MessageView } from '../messages/message-view.ts'
import type { Scalar } from '../variables/variables.ts'

/** A named value of a message: a leaf of a body, a header or cookie, a parameter of the query. */
export interface NamedValue {
  readonly name: string
  readonly value: unknown
}

/** A part of a message that conditions look at: one file holds everything about it. */
export interface TermDefinition {
  /** As written in templates, lower case. */
  readonly name: string
  /** One sentence for the reference page. */
  readonly summary: string
  /** The value as a whole; null when the message has none. */
  whole(scene: Scene): Scalar
  /** What `extract` saves when nothing narrower is meant; `whole` unless given. */
  extracted?(scene: Scene): Scalar
  /** Names and values for `key` and `value`; terms without it allow neither. */
  named?(scene: Scene): TermNames
  /** The body that `length` and the percentages measure. */
  body?(scene: Scene): BodyView
}

/** What `key` and `value` look at. */
export interface TermNames {
  /** For `key`: each name with the value that belongs to it. */
  readonly keys: readonly NamedValue[]
  /** For `value`. */
  readonly values: readonly NamedValue[]
  /** Names of objects and lists, for `valueType`. */
  readonly containers?: readonly string[]
}

/** Checks the shape of a definition where it is written. */
export function term(definition: TermDefinition): TermDefinition {
  return definition
}

/** The message that is judged: the attempt, or the sample in selections. */
export function judged(scene: Scene): MessageView {
  return scene.attempt ?? scene.sample
}
