import type { Lookups } from '../../lookups.ts'
import type { Pattern } from '../../pattern.ts'
import type { ContextRecord, Scalar } from '../../variables/variables.ts'
import type { Scene } from '../scene.ts'

/** What a context found out: whether it holds, and records that `extract` saves. */
interface ContextFinding {
  readonly holds: boolean
  readonly records: readonly ContextRecord[]
  /** For people. */
  readonly observed: string
}

/** A question to the inventory: one file holds everything about it. */
export interface ContextDefinition {
  /** As written in templates, lower case. */
  readonly name: string
  /** One sentence for the reference page. */
  readonly summary: string
  /** Whether the operand is written directly under it. */
  readonly takesOperand: boolean
  /** What is the case where it does not hold, as a sentence without its full stop. */
  readonly failure: (operands: string) => string
  /**
   * @param operands resolved: of the node itself, or of the comparisons under it
   * @param patterns of a `regex` under it
   */
  find(
    scene: Scene,
    operands: readonly Scalar[],
    patterns: readonly Pattern[],
    lookups: Lookups,
  ): ContextFinding
}

/** Checks the shape of a definition where it is written. */
export function context(definition: ContextDefinition): ContextDefinition {
  return definition
}
