import type { DatumTest, OperatorDefinition } from '../operators/operator.ts'
import type { TermDefinition } from '../terms/term.ts'
import type { Scalar } from '../variables/variables.ts'
import type { Place } from '../yaml/node.ts'
import type { ContextDefinition } from './contexts/context.ts'

/** What a body node measures. */
export type Measure =
  | 'length'
  | 'percentage_match'
  | 'percentage_match_schema'
  | 'percentage_match_meaning'
  | 'nlp_classification'

interface Inner {
  readonly children: readonly ConditionNode[]
  readonly place: Place
}

/** A node of a compiled condition. */
export type ConditionNode =
  | (Inner & { readonly kind: 'group'; readonly name: 'root' | 'and' | 'or' })
  | (Inner & { readonly kind: 'term'; readonly term: TermDefinition })
  | (Inner & { readonly kind: 'collection'; readonly name: 'for_one' | 'for_all' })
  | (Inner & { readonly kind: 'part'; readonly name: 'key' | 'value' })
  | (Inner & { readonly kind: 'measure'; readonly measure: Measure })
  | (Inner & {
      readonly kind: 'context'
      readonly context: ContextDefinition
      readonly operands: readonly Scalar[]
    })
  | {
      readonly kind: 'operator'
      readonly operator: OperatorDefinition
      readonly operands: readonly Scalar[]
      /** Made when no operand has a placeholder; a variable may still have the name of one. */
      readonly ready: DatumTest | null
      /** Names in its placeholders. */
      readonly placeholders: readonly string[]
      readonly place: Place
    }
  | { readonly kind: 'containers'; readonly place: Place }
  | { readonly kind: 'compare'; readonly operands: readonly Scalar[]; readonly place: Place }
  | { readonly kind: 'callback'; readonly operands: readonly Scalar[]; readonly place: Place }
  | { readonly kind: 'unsupported'; readonly name: string; readonly why: string; readonly place: Place }
  | {
      readonly kind: 'extract'
      readonly isMultiple: boolean
      readonly variable: string
      readonly place: Place
    }

export type OperatorNode = ConditionNode & { readonly kind: 'operator' }
export type ExtractNode = ConditionNode & { readonly kind: 'extract' }

/** A condition of a template, checked and ready to be judged. */
export interface Condition {
  readonly place: Place
  /** For the evaluator only. */
  readonly root: ConditionNode & { readonly kind: 'group' }
}
