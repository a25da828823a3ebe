import type { Lookups } from '../lookups.ts'
import type { Scalar } from '../variables/variables.ts'

/** Where a datum stands, for the operators that ask. */
interface DatumPlace {
  /** Name of the parameter, header or field; '' for whole bodies and the like. */
  readonly key: string
  readonly lookups: Lookups
}

/** What the operands of an operator are, for the checks when a template is loaded. */
type OperandKind = 'scalars' | 'patterns' | 'ranges'

/** How sentences tell of an operator, between the thing that is compared and the operands. */
interface OperatorPhrases {
  /** `is at least`, as in "the response status is at least 200". */
  readonly holds: string
  readonly fails: string
  /** The operand says whether it must hold, and is not told. */
  readonly isYesOrNo?: true
}

/** A comparison of conditions: one file holds everything about it. */
export interface OperatorDefinition {
  /** As written in templates, lower case. */
  readonly name: string
  /** One sentence for the reference page and for explanations. */
  readonly summary: string
  readonly operands: OperandKind
  readonly phrases: OperatorPhrases
  /** What is asked of each datum; made once for operands that are known when a template is loaded. */
  test(operands: readonly Scalar[]): DatumTest
  /** Executed as tests and shown in the reference; at least one of each outcome. */
  readonly cases: readonly OperatorCase[]
}

/** Whether one datum satisfies an operator. */
export type DatumTest = (datum: unknown, place: DatumPlace) => boolean

/** A worked example of an operator. */
interface OperatorCase {
  readonly datum: unknown
  readonly operands: readonly Scalar[]
  readonly expect: boolean
  readonly because?: string
  /** What the inventory says of the datum as a URL. */
  readonly collections?: readonly string[]
}

/** Checks the shape of a definition where it is written. */
export function operator(definition: OperatorDefinition): OperatorDefinition {
  return definition
}
