import type { Exchange } from '../../http/index.ts'
import { saysNo } from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import type { Trial } from './judge.ts'
import { madeUp } from './strangers.ts'
import type { SentRequest } from './tools.ts'

/** Identifiers that are not guessed: a made-up one of their form is nobody's. */
const UNIQUE = /^(?=.*\d)(?=.*[a-z])[\w~-]{16,128}$/i

/**
 * Whether an accepted deletion of what was made for a test and cannot be read deleted it: the caller who repeats it is
 * answered what the recorded user is answered of an identifier that never was. Null where that proves nothing: deletions
 * are always accepted, or the caller is refused for another reason. Only the deletion itself is repeated, and nothing else
 * is deleted. What its owner was recorded deleting is gone: if something of its name is there, it may belong to somebody
 * else by now.
 *
 * @param draft the deletion of the recorded object
 * @param exchange the deletion as it was sent, of the object in its place
 * @throws Failure a code of the sender
 */
export async function deletedAgain(
  { tools, template, endpoint, start }: Trial,
  draft: RequestDraft,
  exchange: Exchange,
): Promise<SentRequest | null> {
  const { request, response } = exchange
  const url = request.target.replace(/[?#].*$/s, '').replace(/\/$/, '')
  const at = url.lastIndexOf('/') + 1
  const id = url.slice(at)
  const isRecorded = draft.url.replace(/\/$/, '').endsWith(`/${id}`)
  const isAccepted = response.status >= 200 && response.status < 300 && !saysNo(response.body)
  const isDeletion = draft.method === 'DELETE' && start.method === 'DELETE'
  if (!isDeletion || isRecorded || !isAccepted || !UNIQUE.test(id)) return null
  const send = (one: RequestDraft, to: string): Promise<SentRequest> =>
    tools.send(
      { ...one, url: to },
      { followRedirects: false, testId: template.id, endpoint, isInvented: true },
    )
  const again = await send(draft, url)
  const told = refusalOf(again, id)
  if (told === null) return null
  const other = madeUp(id)
  return refusalOf(await send(start, url.slice(0, at) + other), other) === told ? again : null
}

/** What an answer says of an object that it does not know, without its identifier; null where it says something else. */
function refusalOf({ exchange: { response } }: SentRequest, id: string): string | null {
  const { status, body } = response
  const isRefusal = status === 404 || status === 410 || (status >= 200 && status < 300 && saysNo(body))
  return isRefusal ? `${status} ${body.replaceAll(id, '')}` : null
}
