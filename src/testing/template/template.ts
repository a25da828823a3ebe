import type { Condition, Pattern, Place, Scalar } from '../../rules/index.ts'
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
  /** Null: the requests are built once, with what the selection extracted. */
  readonly positions: TemplatePositions | null
  /** Null: the requests carry what `execute` puts into them. */
  readonly fields: TemplateFields | null
  /** `dynamic_severity`, in order; empty when there is none. */
  readonly severityRules: readonly SeverityRule[]
  readonly strategy: TemplateStrategy
  readonly cause: TemplateCause
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

export const CAUSE_SCOPES = ['host', 'collection', 'endpoint', 'parameter'] as const
/** Where the mistake behind a finding sits. */
export type CauseScope = (typeof CAUSE_SCOPES)[number]

/** What findings of the test have in common when they are one issue. */
export interface TemplateCause {
  readonly scope: CauseScope
  /** Tests of one family find the same mistake. */
  readonly family: string
  /** Id of the test whose finding on the same endpoint explains one of this test; null: none does. */
  readonly within: string | null
}

export const POSITION_PARTS = ['path', 'query', 'header', 'body'] as const
export type PositionPart = (typeof POSITION_PARTS)[number]

/** The requests are built for every named value of a part of the request, one after another. */
export interface TemplatePositions {
  readonly part: PositionPart
  /** Takes the name of the position that is tried, for a path the number of its segment from 1. */
  readonly variable: string
  /** Names that are tried first, with every payload. The others get the rest only when they react to the first. */
  readonly likely: Pattern | null
  /** What the recorded value must match for a position to be tried; null: any. */
  readonly recorded: Pattern | null
  /** Text that decides in place of the first payload whether a position that is not likely gets any; null: none. */
  readonly probe: string | null
  /** Passwords too: every try counts towards a lockout of the recorded account. */
  readonly includesSecrets: boolean
}

/** The requests are built for one candidate of a field after another: those that were recorded, then the one named here. */
export interface TemplateFields {
  /** Takes the name of the field; its value is `<variable>_value`. */
  readonly variable: string
  /** Names of recorded fields that mean the same. */
  readonly names: Pattern
  /** Name where none was recorded. */
  readonly name: string
  readonly values: readonly Scalar[]
  /** Recorded values come first. */
  readonly usesRecordedValues: boolean
  /** Where recorded requests carry it, it is the users' own to set and is not tried. */
  readonly isSetByUsers: boolean
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
  | { readonly kind: 'stranger matrix' }
  | { readonly kind: 'function use' }
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
  /** Step, `vulnerable`, `exit` or `untested`; null continues to the next step. */
  readonly success: string | null
  /** Step, `vulnerable`, `exit` or `untested`; null ends the flow. */
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
