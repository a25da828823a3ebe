import { randomBytes } from 'node:crypto'
import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { saysNo } from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { type JsonTree, readTree, writeTree } from '../attempts/json-tree.ts'
import type { SentRequest } from '../run/tools.ts'
import { innerOf } from './object-state.ts'

/** Fields whose values applications often want only once. */
const ONCE_ONLY =
  /(?:^|[_-]|(?<=[a-z]))(?:e-?mail|login|user|user_?name|name|title|slug|sku|code|key|phone|number|isbn|handle|nick(?:name)?)$/i
/** What applications say of a value that is taken, in codes and in several languages. */
const TAKEN =
  /already|exist|taken|unique|uniq|duplicate|in use|conflict|E11000|23505|bereits|vorhanden|existe|d\u00e9j\u00e0|ya est\u00e1|gi\u00e0/i

/** What is known of the recorded values of an endpoint's requests. */
interface KnownValues {
  /** They were taken when another test sent them. */
  readonly areTaken: boolean
  /** An answer that does not come may mean that they are: some handlers break off there. */
  readonly mayBeSilent: boolean
  /** Called when they turn out to be taken: others were accepted. */
  note(): void
}

const UNKNOWN: KnownValues = { areTaken: false, mayBeSilent: false, note: () => {} }

/**
 * Sends a request that makes something, and once more with other values where those of the recorded one are taken.
 * @param keep called with a request that has other values before it is sent
 */
export async function withFreshValues(
  { draft, start }: { readonly draft: RequestDraft; readonly start: RequestDraft },
  transmit: (draft: RequestDraft) => Promise<SentRequest>,
  keep: (draft: RequestDraft) => Promise<void> = () => Promise.resolve(),
  known: KnownValues = UNKNOWN,
): Promise<SentRequest> {
  const fresh = freshDraft(draft, start)
  if (fresh === null) return transmit(draft)
  if (!known.areTaken) {
    const sent = await firstAnswer(draft, transmit, known)
    if (sent !== null && !isTaken(sent.exchange)) return sent
  }
  await keep(fresh)
  const renewed = await transmit(fresh)
  // An error about something else names what exists, too; then other values do not help.
  if (!known.areTaken && renewed.exchange.response.status < 400) known.note()
  return renewed
}

/** Null where the target left the request unanswered and that may be because its values are taken. */
async function firstAnswer(
  draft: RequestDraft,
  transmit: (draft: RequestDraft) => Promise<SentRequest>,
  { mayBeSilent }: KnownValues,
): Promise<SentRequest | null> {
  try {
    return await transmit(draft)
  } catch (error) {
    if (!mayBeSilent || !(error instanceof Failure) || error.code !== 'TARGET_TIMEOUT') throw error
    return null
  }
}

/** Some applications refuse with 200 and say so in the body. */
function isTaken({ response: { status, body } }: Exchange): boolean {
  const mayBe = status === 400 || status === 422 || status === 500 || (status < 300 && saysNo(body))
  return status === 409 || (mayBe && TAKEN.test(body.slice(0, 20_000)))
}

/** Texts that people write, such as a street: words, or words and numbers. */
const WRITTEN = /^[\p{L}\p{N}.,'-]+(?: [\p{L}\p{N}.,'-]+)+$/u

/**
 * The request with new values in fields that are wanted once, where the test did not set them; without such fields in
 * those that people write. Null without any.
 */
function freshDraft(draft: RequestDraft, start: RequestDraft): RequestDraft | null {
  return (
    changedWhere(draft, start, (name) => ONCE_ONLY.test(name)) ??
    changedWhere(draft, start, (_name, value) => WRITTEN.test(value))
  )
}

type IsWanted = (name: string, value: string) => boolean

function changedWhere(draft: RequestDraft, start: RequestDraft, isWanted: IsWanted): RequestDraft | null {
  const query = changedQuery(draft.query, start.query, isWanted)
  const text = changedBody(draft.body.text, start.body.text, isWanted)
  if (query === null && text === null) return null
  return {
    ...draft,
    query: query ?? draft.query,
    ...(text === null ? {} : { body: { ...draft.body, text } }),
  }
}

/** Null where nothing is changed, as in the others. */
function changedQuery(query: string, recorded: string, isWanted: IsWanted): string | null {
  const usual = new URLSearchParams(recorded)
  const changed = new URLSearchParams(query)
  let isChanged = false
  for (const [name, value] of new URLSearchParams(query)) {
    if (value === '' || usual.get(name) !== value || !isWanted(name, value)) continue
    changed.set(name, freshText(value))
    isChanged = true
  }
  return isChanged ? changed.toString() : null
}

function changedBody(body: string, recorded: string, isWanted: IsWanted): string | null {
  const tree = readTree(body)
  const [fields, usual] = [innerOf(tree), innerOf(readTree(recorded))]
  if (!(tree instanceof Map) || fields === null) return null
  const changed = new Map<string, JsonTree>()
  for (const [key, value] of fields)
    if (typeof value === 'string' && usual?.get(key) === value && isWanted(key, value))
      changed.set(key, freshText(value))
  if (changed.size === 0) return null
  const inner = new Map([...fields].map(([key, value]) => [key, changed.get(key) ?? value]))
  return writeTree(fields === tree ? inner : new Map([...tree].map(([key]) => [key, inner as JsonTree])))
}

/** A text of the same kind that nobody has. */
export function freshText(text: string): string {
  const mark = randomBytes(4).toString('hex')
  const at = text.lastIndexOf('@')
  if (at > 0) return `${text.slice(0, at)}.${mark}${text.slice(at)}`
  if (/^\+?\d+$/.test(text)) return text.replaceAll(/\d/g, () => String(randomBytes(1)[0]! % 10))
  if (/^[A-Z0-9]+$/.test(text)) return `${text}${mark.toUpperCase()}`
  return /^[A-Za-z0-9]+$/.test(text) ? `${text}${mark}` : `${text}-${mark}`
}
