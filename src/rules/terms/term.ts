import type { Scene } from '../conditions/scene.ts'
import type { BodyView } from '../messages/body-view.ts'
import type { MessageView } from '../messages/message-view.ts'
import type { NamedValues } from '../messages/names.ts'
import type { Scalar } from '../variables/variables.ts'

/** A part of a message that conditions look at: one file holds everything about it. */
export interface TermDefinition {
  /** As written in templates, lower case. */
  readonly name: string
  /** One sentence for the reference page. */
  readonly summary: string
  /** What sentences call the value as a whole: `request body`. */
  readonly called: string
  /** What they call one of its names or values: `query parameter`; with {@link named} only. */
  readonly itemCalled?: string
  /** Which comparisons may stand under it: those of addresses with ranges only, or all others. */
  readonly takes?: 'ranges'
  /** The term holds or not on its own, whatever it is compared with. */
  readonly ignoresOperands?: true
  /** The value as a whole; null when the message has none. */
  whole(scene: Scene): Scalar
  /** What `extract` saves when nothing narrower is meant; `whole` unless given. */
  extracted?(scene: Scene): Scalar
  /** Names and values for `key` and `value`; terms without it allow neither. */
  named?(scene: Scene): NamedValues
  /** The body that `length` and the percentages measure. */
  body?(scene: Scene): BodyView
}

/** Checks the shape of a definition where it is written. */
export function term(definition: TermDefinition): TermDefinition {
  return definition
}

/** The message that is judged: the attempt, or the sample in selections. */
export function judged(scene: Scene): MessageView {
  return scene.attempt ?? scene.sample
}
