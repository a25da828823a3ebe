import type { Exchange } from '../../http/index.ts'
import { draftOf, type OwnName, type ParentMix } from '../attempts/index.ts'
import { bareDraft } from '../writes/undo-write.ts'
import { answeredObject, leavesOf, wordOf } from './answered-object.ts'
import type { Trial } from './judge.ts'
import { entriesOf, isUniqueId, type Leaf } from './list-entries.ts'
import type { AttemptRecord } from './pair-result.ts'
import { isWhole } from './whole-list.ts'

/** What an answer with the object of somebody else below an own parent proves. */
interface ParentProof {
  readonly is: 'shared' | 'doubtful' | 'proven'
  /** A sentence for people. */
  readonly text: string
}

/**
 * Looks whether the object of somebody else that an attacker got below an own parent is kept there, too; null for other
 * tests.
 *
 * @throws Failure a code of the sender
 */
export async function parentProof(trial: Trial, proof: AttemptRecord): Promise<ParentProof | null> {
  const answered = await answeredObject(trial, proof.exchange)
  if (answered === null) return null
  const { mix, repeated } = answered
  if (repeated.length === 0) return { is: 'shared', text: NOTHING_TELLING }
  if (namesParents(proof.exchange, mix)) return { is: 'proven', text: NAMES_PARENT }
  // Another field or parameter may name something that is not kept in the parent at all.
  if ([mix.object, ...mix.parents].some((name) => name.in !== 'path'))
    return { is: 'shared', text: MAY_BE_BESIDE }
  const listed = await listedBelow(trial, proof.exchange, mix.object)
  if (listed === 'listed') return { is: 'shared', text: LISTED }
  if (listed === 'not listed') return { is: 'proven', text: NOT_LISTED }
  return isUniqueId(mix.object.recorded)
    ? { is: 'doubtful', text: MAY_BE_SHARED }
    : { is: 'shared', text: MAY_BE_EQUAL }
}

/** Whether an answer says that the object is kept below the parents of its owner, and names none of the attacker's. */
function namesParents(answer: Exchange, { parents }: ParentMix): boolean {
  const leaves = leavesOf(answer)
  return parents.some(({ kind, recorded, own }) => {
    const values = leaves.filter((leaf) => namesKind(leaf, wordOf(kind))).map(({ value }) => String(value))
    return values.includes(recorded) && !values.includes(own)
  })
}

/** Whether a value names an object of a kind: `project`, `projectId`, or `id` within `project`. */
function namesKind({ key, path }: Leaf, kind: string): boolean {
  if (kind === '') return false
  const above = path.split('.').at(-2) ?? ''
  return wordOf(key) === kind || (/^_?id$/i.test(key) && wordOf(above) === kind)
}

/** What the list below the attacker's own parent has; null where there is none, or it may be a part only. */
async function listedBelow(
  { tools, template, endpoint }: Trial,
  sent: Exchange,
  object: OwnName,
): Promise<'listed' | 'not listed' | null> {
  const draft = draftOf(sent)
  const [url, isLast] = urlAbove(draft.url, Number(object.name))
  if (!tools.lookups.isKnownEndpoint(endpoint.collectionId, 'GET', url)) return null
  const asked = { ...bareDraft(draft, 'GET', url), query: isLast ? draft.query : '' }
  const { exchange: list } = await tools.send(asked, {
    followRedirects: false,
    testId: template.id,
    endpoint,
  })
  if (entriesOf(list, object.recorded).length > 0) return 'listed'
  return entriesOf(list, object.own).length > 0 && isWhole(list, object.own) ? 'not listed' : null
}

/** The URL before a segment of its path, and whether the segment is the last one. */
function urlAbove(url: string, segment: number): [above: string, isLast: boolean] {
  const { origin, pathname } = new URL(url)
  const segments = pathname.split('/').filter((text) => text !== '')
  return [`${origin}/${segments.slice(0, segment - 1).join('/')}`, segments.length === segment]
}

const NOTHING_TELLING =
  'The answer has no value by which the object is known, so it may be about an object of the attacker.'
const LISTED =
  "The list below the attacker's own parent has an entry of that identifier: the object is kept there, too."
const MAY_BE_EQUAL =
  "Nothing recorded shows that no object of the same identifier is kept below the attacker's own parent. Record the list of its objects there."
const MAY_BE_BESIDE =
  "The answer does not name the owner's parent, so the object may be one that users of other parents are meant to see."
const MAY_BE_SHARED =
  "It is the same object, and no list was recorded that shows whether it is kept below the attacker's own parent, too."
const NAMES_PARENT =
  "The attacker got the object through its own parent, although the answer says that it is kept below its owner's, where the attacker is refused."
const NOT_LISTED =
  "The attacker got the object through its own parent, whose list does not have it; below its owner's, the attacker is refused."
