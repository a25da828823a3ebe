import type { UserFlow } from '@puppeteer/replay'

/** A header of the flow's own requests that is kept under a name. */
export interface HeaderCopy {
  /** Pattern (RE2) that the URL of the request holds. */
  readonly urlPattern: string
  readonly name: string
  readonly saveAs: string
}

/** A recorded login, checked. Holds secrets. */
export interface Recording {
  readonly flow: UserFlow
  readonly copies: readonly HeaderCopy[]
  /** Secret for one-time codes; null without one. */
  readonly totp: string | null
  /** URLs of pages that the steps name, the first one first: hosts that the browser may reach. */
  readonly urls: readonly URL[]
  /** What is typed: never to be shown. */
  readonly secrets: readonly string[]
}

/** Largest recording, in characters. */
export const MAX_RECORDING_CHARS = 1_000_000
/** Most steps of a recording. */
export const MAX_STEPS = 300
