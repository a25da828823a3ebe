import type { Variables } from '../../rules/index.ts'
import type { AttemptEnvironment } from '../attempts/environment.ts'
import type { RequestDraft } from '../attempts/request-draft.ts'
import type { Literal } from '../template/template.ts'

/**
 * How the argument is written: `single` is one value (text, boolean, number), `pairs` a map whose every pair is one
 * operation, `forms` a map with one of the inner words of {@link ModificationDefinition.forms}.
 */
type ArgumentKind = 'single' | 'pairs' | 'forms'

/**
 * `done`: the request was edited or the operation has nothing to edit by nature. `nothing`: what it names is absent.
 * `left out`: there is no such attempt.
 */
export type ApplyResult = 'done' | 'nothing' | 'left out' | { readonly failure: string }

/** One operation of the execute block. */
export interface ModificationDefinition {
  readonly name: string
  /** One sentence for the reference page. */
  readonly summary: string
  readonly arguments: readonly ArgumentKind[]
  /** Inner words of a map argument and the keys that each takes. */
  readonly forms?: Readonly<Record<string, readonly string[]>>
  /** May answer with a failure, which discards all attempts of the step. */
  readonly canFail: boolean
  /**
   * Runs while attempts are counted, once for each, before later operations are resolved; for operations that set
   * variables instead of editing the request. Null on success, otherwise the failure.
   */
  prepare?(key: Literal, value: Literal | undefined, environment: AttemptEnvironment): string | null
  /** Edits the draft in place. Key and value are resolved; the draft belongs to one attempt. */
  apply(
    draft: RequestDraft,
    key: Literal,
    value: Literal | undefined,
    environment: AttemptEnvironment,
  ): ApplyResult
  readonly cases: readonly ModificationCase[]
}

/** One worked example: raw request text in, raw request text out. Executed as a test and printed in the reference. */
export interface ModificationCase {
  readonly title: string
  readonly request: string
  /** The operation as written in a template. */
  readonly argument: Literal
  /** The request after it, `unchanged`, or the failure. */
  readonly becomes: string | { readonly failure: string }
  /** Variables set before. */
  readonly variables?: Readonly<Record<string, Parameters<Variables['set']>[1]>>
}
