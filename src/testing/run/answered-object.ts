import type { Exchange } from '../../http/index.ts'
import { MessageView, objectNamesOf } from '../../rules/index.ts'
import { ATTACKER_ROLE, type OwnName, type ParentMix } from '../attempts/index.ts'
import type { Trial } from './judge.ts'
import type { Leaf } from './list-entries.ts'

/** What an answer below an own parent is about, and the values by which the object is known that it repeats. */
interface AnsweredObject {
  readonly mix: ParentMix
  readonly is: 'same' | 'another' | 'unclear'
  readonly repeated: readonly Leaf[]
}

/** Shortest text or number that tells one object from another. */
const MIN_TELLING = 3
const ID = /^_?(?:id|uuid|guid|key|slug|code|name|handle)$/i
const NAME = /^(?:name|title)$/i

/**
 * Whether an attacker who named the object of somebody else below an own parent got that very object; null for other
 * requests. Values that the attacker's own object has as well come from the parent or the caller: they do not show
 * another object.
 *
 * @throws Failure a code of the sender
 */
export async function answeredObject(trial: Trial, answer: Exchange): Promise<AnsweredObject | null> {
  const mix = mixOf(trial, answer)
  if (mix === null) return null
  const { tools, endpoint, sample } = trial
  const own = await tools.ownAnswer(ATTACKER_ROLE, endpoint)
  if (own === null) return { mix, is: 'unclear', repeated: [] }
  const telling = tellingLeaves([sample, new MessageView(tools.sampleOf(endpoint)!)], own, mix)
  const shown = valuesOf(answer)
  const others = valuesOf(own)
  const isShown = ({ path, value }: Leaf): boolean => shown.get(path) === String(value)
  const differs = (leaf: Leaf): boolean => shown.has(leaf.path) && !isShown(leaf)
  const isOwn = ({ path }: Leaf): boolean => shown.has(path) && shown.get(path) === others.get(path)
  const ids = sample.responseBody.leaves.filter(
    ({ key, value }) => ID.test(key) && String(value) === mix.object.recorded,
  )
  const names = telling.filter(
    ({ key, path }) => NAME.test(key) && ids.some((id) => above(id.path) === above(path)),
  )
  const repeated = telling.filter((leaf) => isShown(leaf) && String(leaf.value).length >= MIN_TELLING)
  const differing = telling.filter((leaf) => differs(leaf) && !isOwn(leaf))
  const isAnother =
    ids.some(differs) ||
    names.some((leaf) => differing.includes(leaf)) ||
    (repeated.length === 0 && (differing.length > 0 || (telling.some(isOwn) && !ids.some(isShown))))
  const isSame = telling.every((leaf) => isShown(leaf) || isOwn(leaf))
  return { mix, is: isAnother ? 'another' : isSame ? 'same' : 'unclear', repeated }
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
 * not have. What the request sent, and what describes the parent, says nothing of the object.
 */
function tellingLeaves(
  [now, recorded]: readonly [MessageView, MessageView],
  own: Exchange,
  { object, parents }: ParentMix,
): Leaf[] {
  const before = new Set(recorded.responseBody.leaves.map(pairOf))
  const others = new Set(leavesOf(own).map(pairOf))
  const named = [object, ...parents].map((one) => one.recorded)
  const kinds = parents.map(({ kind }) => wordOf(kind)).filter((kind) => kind !== '')
  return now.responseBody.leaves.filter((leaf) => {
    const text = String(leaf.value)
    return (
      before.has(pairOf(leaf)) &&
      !others.has(pairOf(leaf)) &&
      !now.sentValues.has(text) &&
      !text.split(/[/?#&=]/).some((part) => named.includes(part)) &&
      !kinds.some((kind) => isAboutKind(leaf, kind)) &&
      leaf.value !== null &&
      leaf.value !== '' &&
      typeof leaf.value !== 'boolean'
    )
  })
}

/** Whether a value describes an object of a kind: `projectName`, or `name` within `project`. */
function isAboutKind({ key, path }: Leaf, kind: string): boolean {
  return wordOf(key).startsWith(kind) || wordOf(above(path).split('.').at(-1)!) === kind
}

/** `projects`, `project_id` and `projectId` are one word. */
export function wordOf(name: string): string {
  const word = name.replace(/\[\d*\]$/, '').replace(/(?:[_.-]?(?:id|uuid|guid|key|ref|slug))$/i, '')
  return word.toLowerCase().replaceAll(/[_.-]/g, '').replace(/ies$/, 'y').replace(/s$/, '')
}

/** The path of the object that has a value. */
function above(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), 0))
}

export function leavesOf(exchange: Exchange): readonly Leaf[] {
  return new MessageView(exchange).responseBody.leaves
}

/** What an answer shows, by path. */
function valuesOf(exchange: Exchange): Map<string, string> {
  return new Map(
    leavesOf(exchange).flatMap(({ path, value }) =>
      value === null || value === '' ? [] : [[path, String(value)]],
    ),
  )
}

function pairOf({ path, value }: Leaf): string {
  return `${path}=${String(value)}`
}
