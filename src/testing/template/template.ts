import type { Condition, Place } from '../../rules/index.ts'
import type { ModificationDefinition } from '../modifications/modification.ts'

export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A value written in a template: what YAML can say. Objects have no prototype. */
export type Literal = null | boolean | number | string | readonly Literal[] | LiteralMap
export interface LiteralMap {
  readonly [key: string]: Literal
}

/** A security test, checked and ready to run. Immutable, and shared by all endpoints of a run. */
export interface Template {
  readonly id: string
  readonly info: TemplateInfo
  readonly attributes: TemplateAttributes
  readonly auth: TemplateAuth | null
  /** Whether the test applies to an endpoint, judged on its sample. */
  readonly filters: Condition
  /** What an attempt must show; null only when every step has its own, or an agent is to judge, which nothing runs. */
  readonly validate: Condition | null
  readonly wordLists: readonly WordListSpec[]
  readonly execute: ExecutePlan
  /** `dynamic_severity`, in order; empty when there is none. */
  readonly severityRules: readonly SeverityRule[]
  readonly strategy: TemplateStrategy
  /** Null: the file does not say. */
  readonly inactive: boolean | null
  /** The YAML text the template was read from. */
  readonly source: string
  readonly needs: readonly Need[]
}

export interface TemplateInfo {
  readonly name: string
  readonly description: string
  readonly details: string
  readonly impact: string
  readonly remediation: string
  readonly category: { readonly name: string; readonly shortName: string; readonly displayName: string }
  /** Always the id of the template. */
  readonly subCategory: string
  readonly severity: Severity | 'dynamic_severity'
  readonly tags: readonly string[]
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  readonly cve: readonly string[]
  /** Standard → clauses. */
  readonly compliance: ReadonlyMap<string, readonly string[]>
  readonly agenticTestingAllowed: boolean
  readonly onlySmartTestingAllowed: boolean
}

export interface TemplateAttributes {
  readonly plan: 'FREE' | 'STANDARD' | 'PRO' | 'ENTERPRISE' | null
  readonly nature: 'INTRUSIVE' | 'NON_INTRUSIVE' | null
  readonly duration: 'FAST' | 'SLOW' | null
}

export interface TemplateAuth {
  /** True: the sample carries a credential and the endpoint refuses without one. False: the sample carries none. */
  readonly authenticated: boolean | undefined
  /** Names to use instead of the configured ones; null when the file gives none. */
  readonly headers: readonly string[] | null
}

export interface SeverityRule {
  /** Judged on the sample; null holds always, but gives way to rules that hold. */
  readonly check: Condition | null
  readonly severity: Severity
}

export interface TemplateStrategy {
  /** At most one endpoint of each collection in a run. */
  readonly runOnce: boolean
  readonly insertVulnApi: boolean
}

/** Something outside the template and the sample that a template cannot do without. */
export type Need =
  | { readonly kind: 'attacker' }
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'callback' }
  | { readonly kind: 'other samples' }
  | { readonly kind: 'parameter values' }
  | { readonly kind: 'inventory' }
  | { readonly kind: 'access matrix' }
  | { readonly kind: 'access type' }
  | { readonly kind: 'files' }
  | { readonly kind: 'model' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'language model target' }

/** Words that fill placeholders. */
export type WordListSpec = { readonly name: string } & (
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | ({ readonly kind: 'samples' } & SampleLookup)
  | { readonly kind: 'random'; readonly count: number }
  | {
      readonly kind: 'dynamic'
      /** Variable that holds the captured names; `name` holds `${iteratorKey}` and gives one list for each. */
      readonly variable: string
      readonly only: 'first' | 'all'
      readonly lookup: SampleLookup
    }
)

/** Which values of samples become words. */
export interface SampleLookup {
  /** A name, compared without case, or a pattern found in names. */
  readonly key: { readonly name: string } | { readonly pattern: string }
  readonly location: 'header' | 'payload' | 'query_param' | 'terminal_keys' | null
  /** Also the samples of the other endpoints of the collection that the run includes. */
  readonly allApis: boolean
}

export const EXECUTE_TYPES = ['single', 'multiple', 'parallel', 'graph', 'passive'] as const
export type ExecuteType = (typeof EXECUTE_TYPES)[number]

export interface ExecutePlan {
  readonly type: ExecuteType
  readonly steps: readonly Step[]
  /** Of the first step; holds for all. */
  readonly forEachCombination: boolean
}

/** One request of the plan. */
export interface Step {
  /** `x1`, `x2` … in file order. */
  readonly name: string
  readonly operations: readonly StepEntry[]
  /** Replaces the template's own condition for this step. */
  readonly validate: Condition | null
  /** Step, `vulnerable` or `exit`; null goes on to the next step. */
  readonly success: string | null
  /** Step, `vulnerable` or `exit`; null ends the flow. */
  readonly failure: string | null
  readonly waitSeconds: number
  /** Template to run instead of the operations. */
  readonly testName: string | null
  readonly followRedirects: boolean
  readonly forEachCombination: boolean
  /** Attempts equal to the starting request are sent too: a `single` plan without operations. */
  readonly sendsUnchanged: boolean
  /** Names that the template saves by `extract`: only they are replaced where they stand without `${}`. */
  readonly captures: ReadonlySet<string>
  readonly place: Place
}

export type StepEntry = Operation | Loop

/** One edit of the request. */
export interface Operation {
  readonly kind: 'operation'
  /** Name of the modification in lower case, for example `modify_header`. */
  readonly name: string
  readonly modification: ModificationDefinition
  /** Left side of the pair, or the only argument. */
  readonly key: Literal
  /** Right side of the pair; undefined for a single argument. */
  readonly value: Literal | undefined
  readonly place: Place
}

/** Operations repeated for each element of a captured list. */
export interface Loop {
  readonly kind: 'loop'
  /** Variable that holds the list. */
  readonly variable: string
  readonly only: 'first' | 'all'
  readonly operations: readonly Operation[]
  readonly place: Place
}
