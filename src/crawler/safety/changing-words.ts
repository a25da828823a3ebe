/*
 * Verbs by which applications name what an operation does, as they appear in paths, operation names and on
 * controls. Whole words only; camelCase and kebab-case are split before.
 */

/** What only reads. */
const READING =
  /^(?:search|query|find|filter|list|lookup|get|fetch|read|load|count|exists|suggest|suggestions|autocomplete|typeahead|aggregate|stats|statistics|preview|estimate|compare|diff|describe|show|scan|browse|facets|msearch|mget)$/
/** Reading verbs after which a word such as `order` is what is read, not what is done. */
const READS_FIRST = /^(?:get|list|fetch|find|search|query|read|load|count|describe|lookup)$/
/** What changes something, even after a reading verb: `getOrCreate`, `findAndModify`. */
const ALWAYS_CHANGING =
  /^(?:clear|create|delete|insert|mark|modify|patch|purge|put|remove|replace|reset|save|set|toggle|update|upsert)$/

/** Imperatives that an address carries out at once, without showing a form first. */
const AT_ONCE = [
  'accept activate approve archive block cancel clear close complete confirm deactivate decline demote deny disable',
  'dismiss enable execute favorite favourite flip flush follow hide kill like lock mark mute pause pin promote publish',
  'reactivate regenerate reindex reject reopen resend resolve restart restore resume retry revert revoke rollback',
  'rotate run snooze star start stop subscribe suspend sync toggle trigger unarchive unblock undo unfollow unlike',
  'unlock unmute unpin unpublish unstar unsubscribe vote',
]
/** Other verbs of change: what they name may be a form, or a record. */
const OTHERS = [
  'add apply assign attach book bulk change checkout claim clone convert copy create delete deploy detach downgrade',
  'duplicate edit finish generate grant impersonate import insert install invite join leave link merge migrate modify',
  'move new order patch pay post provision purchase purge put rate rebuild refresh register remove rename renew replace',
  'report request reset save schedule send set share sign store submit switch transfer unlink unshare update upgrade',
  'upload upsert validate verify withdraw write',
]
const atOnce = new Set(AT_ONCE.join(' ').split(' '))
const changing = new Set([...atOnce, ...OTHERS.join(' ').split(' ')])

/** Values of a parameter for operations that show something. */
const SHOWS = /^(?:new|edit|add|view)$/
/** Names of query parameters by which old applications say what is to be done. */
const OPERATION_NAMES = /^(?:act|action|cmd|command|do|func|function|op|oper|operation|task)$/i

/** Longest text that is split. */
const MAX_TEXT = 300

/** Words of a name: `getUserList`, `get-user-list` and `get_user_list` give the same three. */
export function wordsOf(text: string): string[] {
  return text
    .slice(0, MAX_TEXT)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Whether the name of an operation speaks of reading and of nothing else: `listOrders`, `things/_search`. */
export function namesReading(name: string): boolean {
  const words = wordsOf(name)
  const [first] = words
  if (first === undefined) return false
  if (READS_FIRST.test(first)) return !words.some((word) => ALWAYS_CHANGING.test(word))
  if (words.some((word) => changing.has(word))) return false
  return READING.test(first) || READING.test(words.at(-1)!)
}

/** The first word of a text that speaks of a change; null without. */
export function changingWord(text: string): string | null {
  return wordsOf(text).find((word) => changing.has(word)) ?? null
}

/** Whether what stands on a link is an order that is carried out at once: `Deactivate`, `Mark as read`. */
export function ordersAtOnce(text: string): boolean {
  const [first] = wordsOf(text)
  return first !== undefined && atOnce.has(first)
}

/**
 * What an address does beyond showing a page: an imperative at the end of a path with an identifier or a query
 * (`/people/5/deactivate`), or the value of a parameter for operations (`?action=promote`). Null for an ordinary page.
 *
 * @param isIdentifier whether a segment stands for a record
 */
export function operationInUrl(url: URL, isIdentifier: (segment: string) => boolean): string | null {
  for (const [name, value] of url.searchParams) {
    if (!OPERATION_NAMES.test(name)) continue
    const word = changingWord(value)
    if (word !== null && !SHOWS.test(word)) return word
  }
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const [verb] = wordsOf((segments.pop() ?? '').replace(/\.\w{2,5}$/, ''))
  if (verb === undefined || !atOnce.has(verb)) return null
  return url.search !== '' || segments.some(isIdentifier) ? verb : null
}
