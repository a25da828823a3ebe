import type { Exchange } from '../../http/index.ts'
import { MessageView, objectNamesOf } from '../../rules/index.ts'
import { ATTACKER_ROLE, draftOf, type OwnName, type ParentMix } from '../attempts/index.ts'
import { bareDraft } from '../writes/undo-write.ts'
import type { Trial } from './judge.ts'
import { entriesOf, type Leaf } from './list-entries.ts'
import type { AttemptRecord } from './pair-result.ts'

/** What an answer to the object of somebody else below an own parent proves. */
interface ParentProof {
  readonly is: 'another object' | 'shared' | 'doubtful' | 'proven'
  /** A sentence for people. */
  readonly text: string
}

/** Shortest text or number that tells one object from another. */
const MIN_TELLING = 3

/**
 * Looks whether an attacker who named the object of somebody else below its own parent got that very object, and whether it
 * is kept there, too; null for other tests.
 *
 * @throws Failure a code of the sender
 */
export async function parentProof(trial: Trial, proof: AttemptRecord): Promise<ParentProof | null> {
  const mix = mixOf(trial, proof.exchange)
  if (mix === null) return null
  const { tools, endpoint, sample } = trial
  const own = await tools.ownAnswer(ATTACKER_ROLE, endpoint)
  const recorded = tools.sampleOf(endpoint)!
  const telling = tellingLeaves([sample.exchange, recorded], own, mix)
  const shown = new Set(leavesOf(proof.exchange).map(pairOf))
  if (!telling.every((leaf) => shown.has(pairOf(leaf)))) return { is: 'another object', text: '' }
  if (!telling.some(isTelling)) return { is: 'shared', text: NOTHING_TELLING }
  if (namesParents(proof.exchange, mix)) return { is: 'proven', text: NAMES_PARENT }
  const listed = await listedBelow(trial, proof.exchange, mix.object)
  if (listed === 'listed') return { is: 'shared', text: LISTED }
  if (listed === 'not listed') return { is: 'proven', text: NOT_LISTED }
  // Objects that are counted below each parent may have the same number.
  return COUNTED.test(mix.object.recorded)
    ? { is: 'shared', text: MAY_BE_COUNTED }
    : { is: 'doubtful', text: MAY_BE_SHARED }
}

/** The combination that a request was built with. */
function mixOf({ template, endpoint, tools, variables }: Trial, sent: Exchange): ParentMix | null {
  const isAsked = template.execute.steps.some(({ operations }) =>
    operations.some((entry) => entry.kind === 'operation' && entry.name === 'use_own_parents'),
  )
  if (!isAsked) return null
  const names = objectNamesOf(endpoint.url, new MessageView(sent))
  const holds = (name: OwnName, value: string): boolean =>
    names.some((one) => one.in === name.in && one.name === name.name && one.value === value)
  const mixes = tools.environmentFor(template, endpoint, variables).ownParents()
  return (
    mixes.find(
      ({ object, parents }) =>
        holds(object, object.recorded) && parents.every((parent) => holds(parent, parent.own)),
    ) ?? null
  )
}

/**
 * The values by which an object is known: those that it was answered with each time, and that the attacker's own object does
 * not have. Identifiers of the request may only be repeated by the answer.
 */
function tellingLeaves(
  [now, recorded]: readonly [Exchange, Exchange],
  own: Exchange | null,
  { object, parents }: ParentMix,
): Leaf[] {
  const before = new Set(leavesOf(recorded).map(pairOf))
  const others = new Set(own === null ? [] : leavesOf(own).map(pairOf))
  const named = new Set([object, ...parents].map((one) => one.recorded))
  return leavesOf(now).filter(
    (leaf) =>
      before.has(pairOf(leaf)) &&
      !others.has(pairOf(leaf)) &&
      !named.has(String(leaf.value)) &&
      leaf.value !== null &&
      leaf.value !== '' &&
      typeof leaf.value !== 'boolean',
  )
}

function isTelling({ value }: Leaf): boolean {
  return String(value).length >= MIN_TELLING
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
  const above = path.split('.').at(-2) ?? ''
  return wordOf(key) === kind || (/^_?id$/i.test(key) && wordOf(above) === kind)
}

/** `projects`, `project_id` and `projectId` are one word. */
function wordOf(name: string): string {
  const word = name.replace(/\[\d*\]$/, '').replace(/(?:[_.-]?(?:id|uuid|guid|key|ref|slug))$/i, '')
  return word.toLowerCase().replaceAll(/[_.-]/g, '').replace(/ies$/, 'y').replace(/s$/, '')
}

/** What the list below the attacker's own parent has; null where there is none, or it may be a part only. */
async function listedBelow(
  { tools, template, endpoint }: Trial,
  sent: Exchange,
  object: OwnName,
): Promise<'listed' | 'not listed' | null> {
  if (object.in !== 'path') return null
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
  return entriesOf(list, object.own).length > 0 && isWhole(list) ? 'not listed' : null
}

/** The URL before a segment of its path, and whether the segment is the last one. */
function urlAbove(url: string, segment: number): [above: string, isLast: boolean] {
  const { origin, pathname } = new URL(url)
  const segments = pathname.split('/').filter((text) => text !== '')
  return [`${origin}/${segments.slice(0, segment - 1).join('/')}`, segments.length === segment]
}

const NEXT_PAGE = /^(?:next.*|has_?(?:more|next)(?:_?page)?|continuation.*|after)$/i
const TOTAL = /^(?:total.*|count|item_?count|num_?results)$/i

/** Whether nothing says that a list has more entries on other pages. */
function isWhole(list: Exchange): boolean {
  const leaves = leavesOf(list)
  const entries = new Set(leaves.flatMap(({ path }) => /^.*?\[\d+\]/.exec(path)?.[0] ?? []))
  return !leaves.some(
    ({ key, path, value }) =>
      !path.includes('[') &&
      ((NEXT_PAGE.test(key) && value !== null && value !== '' && value !== false) ||
        (TOTAL.test(key) && Number(value) > entries.size)),
  )
}

function leavesOf(exchange: Exchange): readonly Leaf[] {
  return new MessageView(exchange).responseBody.leaves
}

function pairOf({ path, value }: Leaf): string {
  return `${path}=${String(value)}`
}

/** Identifiers that objects below any parent may share. */
const COUNTED = /^(?:[^\p{L}]{1,9}|.{1,2})$/u

const NOTHING_TELLING =
  'The answer has no value by which the object is known, so it may be about an object of the attacker.'
const LISTED =
  "The list below the attacker's own parent has an entry of that identifier: the object is kept there, too."
const MAY_BE_COUNTED =
  "Nothing recorded shows that no object of the same number is kept below the attacker's own parent. Record the list of its objects there."
const MAY_BE_SHARED =
  "It is the same object, and no list was recorded that shows whether it is kept below the attacker's own parent, too."
const NAMES_PARENT =
  "The attacker got the object through its own parent, although the answer says that it is kept below its owner's, where the attacker is refused."
const NOT_LISTED =
  "The attacker got the object through its own parent, whose list does not have it; below its owner's, the attacker is refused."
