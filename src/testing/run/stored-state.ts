import type { Exchange } from '../../http/index.ts'
import { Failure, percentDecoded } from '../../kit/index.ts'
import type { StoredState } from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { readTree, writeTree } from '../attempts/json-tree.ts'
import { createdUrls, entryFor, listedIds } from '../writes/created-object.ts'
import { scalarFields } from '../writes/object-state.ts'
import { showsNoObject } from '../writes/shows-no-object.ts'
import { bareDraft } from '../writes/undo-write.ts'
import { urlAbove } from '../writes/url-above.ts'
import { deletedAgain } from './deleted-again.ts'
import type { Trial } from './judge.ts'
import { readNewAccount } from './new-account.ts'
import { readNewPassword } from './new-password.ts'
import type { SentRequest } from './tools.ts'

/** Methods that write. */
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What an application shows after a write. */
export interface LaterRead {
  readonly sent: SentRequest
  /** What it shows of the object: of a list, its entry only. */
  readonly shown: Exchange
  readonly state: StoredState
  /** The list that the object is in was read, because the object cannot be read itself. */
  readonly isList: boolean
}

/**
 * Reads what a write is about, with the credentials of the recorded user; null where no read is known. An account that was
 * signed up is asked with its own, and of a new password a sign-in shows whether it is the user's now.
 * @param exchange the write as it was sent, which may be about another object than the recorded one
 */
export async function readStored(
  trial: Trial,
  draft: RequestDraft,
  exchange: Exchange,
): Promise<LaterRead | null> {
  const read = WRITES.has(draft.method) ? readOf(trial, draft, exchange) : null
  const { tools, template, endpoint, start } = trial
  try {
    // A user may be named beside the password that is set, as in a sign-up.
    const password = await readNewPassword(trial, draft, exchange)
    if (password !== null) return { ...password, shown: password.sent.exchange, isList: false }
    const account = await readNewAccount(trial, exchange)
    if (account !== null)
      return {
        ...{ sent: account, shown: account.exchange, isList: false },
        state: stateIn(account.exchange, exchange, false),
      }
    if (read === null) return null
    const sent = await tools.send(bareDraft(start, 'GET', read.url), {
      followRedirects: false,
      testId: template.id,
      endpoint,
    })
    const shown = draft.method === 'DELETE' ? sent.exchange : shownOf(sent.exchange, exchange)
    if (shown === null)
      return { sent, shown: withBody(sent.exchange, ''), isList: false, state: 'not listed' }
    const state = stateIn(shown, exchange, read.isList)
    const again = state === 'unknown' ? await deletedAgain(trial, draft, exchange) : null
    if (again !== null) return { sent: again, shown: again.exchange, isList: false, state: 'gone' }
    return { sent, shown, isList: read.isList, state }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    return null
  }
}

/**
 * An answer without what a list has of other objects; null where it does not have what was written, also because the
 * recorded user is refused what was made.
 */
function shownOf(read: Exchange, write: Exchange): Exchange | null {
  if (read.response.status === 403 && createdUrls(write).includes(read.request.target)) return null
  const entry = entryFor(read, write)
  if (entry === 'not named') return isNamedOtherwise(read, write) ? null : read
  return entry === null ? null : withBody(read, writeTree(entry))
}

/** Fields that tell objects apart, beside `id`, which the entries of lists are known by. */
const NAME_OF_OBJECT = /(?:^|[_.-])(?:id|uuid|key|ref|number|no|version|slug)$|[a-z]Id$/i

/** Whether all that the answer to a creation says, such as `{"version": "2"}`, is another value in what was read. */
function isNamedOtherwise(read: Exchange, write: Exchange): boolean {
  if (write.request.method !== 'POST') return false
  const [made, ...more] = scalarFields(readTree(write.response.body))
  if (made === undefined || more.length > 0) return false
  const [name, value] = made
  const sent = scalarFields(readTree(write.request.body))
  const shown = scalarFields(readTree(read.response.body)).get(name)
  return NAME_OF_OBJECT.test(name) && !sent.has(name) && shown !== undefined && shown !== value
}

function withBody(exchange: Exchange, body: string): Exchange {
  return { ...exchange, response: { ...exchange.response, body } }
}

/** Where the object of a write can be read; of one that is deleted also its list. */
function readOf(
  { tools, endpoint }: Trial,
  { method, url }: RequestDraft,
  exchange: Exchange,
): { url: string; isList: boolean } | null {
  const isKnown = (one: string): boolean => tools.lookups.isKnownEndpoint(endpoint.collectionId, 'GET', one)
  const urls = [...createdUrls(exchange), url]
  const own = urls.find(isKnown)
  if (own !== undefined) return { url: own, isList: false }
  const above = urlAbove(url, endpoint.url)
  if (above !== null && isKnown(above)) return { url: above, isList: false }
  const list = url.slice(0, url.lastIndexOf('/'))
  if (method === 'DELETE' && isKnown(list)) return { url: list, isList: true }
  // What can be changed or deleted can often be read, too; what only takes POST might act.
  return method === 'POST' ? null : { url, isList: false }
}

function stateIn(read: Exchange, write: Exchange, isList: boolean): StoredState {
  const { status, body } = read.response
  if (write.request.method === 'DELETE') {
    const isAbsent = status === 404 || status === 410 || (status < 300 && showsNoObject(read))
    if (!isList && isAbsent) return 'gone'
    if (!isList) return status < 300 && body !== '' ? 'shown' : 'unknown'
    const ids = listedIds(read)
    const id = percentDecoded(pathOf(write.request.target).split('/').at(-1) ?? '')
    return ids === null ? 'unknown' : ids.includes(id) ? 'shown' : 'gone'
  }
  if (status < 200 || status > 299) return 'unknown'
  const shown = scalarFields(readTree(body))
  const common = [...scalarFields(readTree(write.request.body))].filter(([key]) => shown.has(key))
  if (common.length === 0) return 'unknown'
  return common.every(([key, value]) => shown.get(key) === value) ? 'as sent' : 'otherwise'
}

function pathOf(target: string): string {
  return target.replace(/[?#].*$/s, '').replace(/\/$/, '')
}
