/** An endpoint that a script calls, or speaks of. */
export interface ScriptEndpoint {
  /** Upper case; GET when nothing tells otherwise. */
  readonly method: string
  /** URL or path as composed; `{}` for parts that are not known. */
  readonly url: string
  /** Names of the properties of a body that is written in place; null when there is none. */
  readonly bodyKeys: readonly string[] | null
  /** Found as an argument of a call that sends requests. */
  readonly isCall: boolean
}

/** What was read in a text. Each list without repeats, bounded. */
export interface TextFindings {
  readonly endpoints: readonly ScriptEndpoint[]
  /** Paths of router tables, without leading `#`. */
  readonly routes: readonly string[]
  /** URLs and paths to visit. */
  readonly links: readonly string[]
  /** Scripts that a script loads: chunks of lazy routes. */
  readonly scripts: readonly string[]
  /** The text was read before: nothing but its routes is reported again. */
  readonly isRepeat?: boolean
}

/** Most entries of each list. */
export const MAX_FINDINGS = 3000

/** Findings of nothing. */
export const noFindings: TextFindings = { endpoints: [], routes: [], links: [], scripts: [] }

/** Whether a text is a path or URL worth asking for: not a type, a date, a fragment of a sentence or a pattern. */
export function looksLikeTarget(text: string): boolean {
  if (text.length < 2 || text.length > 300 || /[\s<>"'\\^`|;]|\*\*/.test(text)) return false
  if (/^(?:https?|wss?):\/\/[\w.-]+/i.test(text)) return true
  if (/^\/\/[\w-]+\.[\w.-]+\//.test(text)) return true
  if (/^\.{0,2}\/[\w{]/.test(text)) {
    // Nothing but unknown parts is not an address.
    if (/^[./{}]*$/.test(text)) return false
    // A table of operations names their paths below that of an object.
    if (/^\/(?:\{[\w-]+\}|:[a-z_]\w*)(?:\/|$)/i.test(text)) return false
    return !/^\/[a-z]{0,3}$|^\/[gimsuy]+$|\/\/|,\s|[()[\]$!]/i.test(text)
  }
  return false
}

/** Whether a text without a leading slash is a path all the same (`rest/products/search`, `api/Users?limit=1`). */
export function looksLikeBarePath(text: string): boolean {
  return (
    /^(?:api|rest|v\d+|graphql|services?|rpc|ajax|data|auth|oauth2?)\/[\w{}.~/-]*(?:\?[\w=&{}.%-]*)?$/i.test(
      text,
    ) ||
    /^[\w-]+(?:\/[\w{}.-]+)+\.(?:json|xml|php|aspx?|jsp|do|action|cgi|html?)(?:\?[\w=&{}.%-]*)?$/i.test(text)
  )
}
