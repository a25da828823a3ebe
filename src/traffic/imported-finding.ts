import type { severities } from '../contract/vocabulary.ts'
import type { Exchange } from '../http/index.ts'

/** What another scanner looks for, in its own words. */
export interface ImportedRule {
  /** Tool and its own id, such as `ZAP:40018`; no test of Vigil has a colon in its id. */
  readonly id: string
  /** Name of the tool for people. */
  readonly tool: string
  readonly name: string
  readonly description: string
  readonly remediation: string
  readonly severity: (typeof severities)[number]
  /** `CWE-89`. */
  readonly cwe: readonly string[]
  /** `CVE-2021-44228`. */
  readonly cve: readonly string[]
  readonly links: readonly string[]
}

/** One place that another scanner reported. */
export interface ImportedFinding {
  /** Number of the entry in the file, from 0. */
  readonly index: number
  /** JSON pointer or line. */
  readonly where: string
  /** Method and URL without its query. */
  readonly what: string
  readonly rule: ImportedRule
  readonly method: string
  /** Absolute, with its query. */
  readonly url: string
  /** A mistake of the whole host, however many endpoints show it. */
  readonly isOfHost: boolean
  /** The part of the request, such as `query id`; '' when the tool names none. */
  readonly part: string
  /** What the tool quotes or says of this place, with a word for each: `Attack`, `1' OR '1'='1`. */
  readonly notes: readonly (readonly [label: string, text: string])[]
  /** The request and its answer; null when the file has no messages. */
  readonly exchange: Exchange | null
  /** When it was found, epoch seconds. */
  readonly at: number
}
