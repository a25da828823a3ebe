import { plainExchange } from '../../http/index.ts'
import { type Condition, EMPTY_LOOKUPS, evaluate, MessageView, Variables } from '../../rules/index.ts'
import { type LeafList, PLACE, PLACES_OF, readingOf } from '../views/leaf.ts'
import { type Evidence, MAX_PHRASE } from './hit.ts'
import { type Look, textOf } from './look.ts'
import { locationOf } from './places.ts'
import type { NamedPlan, Plan, Question } from './plan.ts'

const NO_PLACE = { key: '', lookups: EMPTY_LOOKUPS }
const RAW_PLACES =
  PLACES_OF.URL_RAW |
  PLACES_OF.REQUEST_HEADERS_RAW |
  PLACES_OF.REQUEST_PAYLOAD_RAW |
  PLACES_OF.RESPONSE_HEADERS_RAW |
  PLACES_OF.RESPONSE_PAYLOAD_RAW

/** Whether a plan holds of the message that is looked at. Stops as soon as that is settled. */
export function holds(plan: Plan, look: Look): boolean {
  switch (plan.kind) {
    case 'all':
      for (const part of plan.parts) if (!holds(part, look)) return false
      return true
    case 'any':
      for (const part of plan.parts) if (holds(part, look)) return true
      return false
    case 'not':
      return !holds(plan.part, look)
    case 'probe':
      return look.leafWith(plan.probe, plan.places) >= 0
    case 'fact':
      return plan.test(plan.datum(look.message), NO_PLACE)
    case 'named':
      return isNamed(plan, look)
    case 'plain':
      return isPlain(plan, look)
  }
}

function isPlain({ node }: Plan & { kind: 'plain' }, look: Look): boolean {
  const { exchange, collectionId, actorAddress, country } = look.message
  const condition: Condition = {
    place: node.place,
    root: { kind: 'group', name: 'root', children: [node], place: node.place },
  }
  const { target, method } = exchange.request
  return evaluate(condition, {
    phase: 'filter',
    endpoint: { collectionId, url: target, method },
    sample: new MessageView({ ...plainExchange(exchange), clientIp: actorAddress, tags: { country } }),
    attempt: null,
    variables: new Variables(),
    lookups: EMPTY_LOOKUPS,
  }).holds
}

function isNamed(plan: NamedPlan, look: Look): boolean {
  if (!isPossible(plan.question, look)) return false
  let asked = 0
  for (let leaf = nextNamed(plan, look, 0); leaf >= 0; leaf = nextNamed(plan, look, leaf + 1)) {
    const isSatisfied = answers(plan.question, leaf, plan, look)
    if (isSatisfied !== plan.isForAll) return isSatisfied
    if (look.budget.isSpent) return false
    asked++
  }
  return plan.isForAll && asked > 0
}

/** Whether what is looked for was met anywhere at all. */
function isPossible(question: Question, look: Look): boolean {
  switch (question.kind) {
    case 'all':
      return question.parts.every((part) => isPossible(part, look))
    case 'any':
      return question.parts.some((part) => isPossible(part, look))
    case 'probe':
    case 'name probe':
      return question.isDenial || look.mayBeMet(question.probe)
    default:
      return true
  }
}

/** The next named value as it was sent, or name where only names are asked for; -1 behind the last. */
function nextNamed(plan: NamedPlan, { list, candidates }: Look, from: number): number {
  const places = plan.values | plan.names
  const { bits } = candidates
  for (let leaf = from; leaf < list.count; leaf++)
    if ((bits[leaf]! & places) !== 0 && list.parents[leaf]! < 0) return leaf
  return -1
}

function answers(question: Question, leaf: number, plan: NamedPlan, look: Look): boolean {
  switch (question.kind) {
    case 'all':
      return question.parts.every((part) => answers(part, leaf, plan, look))
    case 'any':
      return question.parts.some((part) => answers(part, leaf, plan, look))
    case 'name': {
      const isName = (look.candidates.bits[leaf]! & plan.names) !== 0
      return question.test(isName ? look.list.text(leaf) : look.list.name(leaf), NO_PLACE)
    }
    case 'name probe':
      return isNamedSo(question, leaf, plan, look)
    case 'value': {
      const test = (one: number): boolean => question.test(look.list.text(one), NO_PLACE)
      const { isDenial } = question
      return look.groups.some(leaf, (one) => test(one) !== isDenial) !== isDenial
    }
    case 'probe': {
      const isIn = look.groups.some(leaf, (one) => look.isIn(question.probe, one))
      return isIn !== question.isDenial
    }
  }
}

function isNamedSo(
  { probe, isDenial }: Question & { kind: 'name probe' },
  leaf: number,
  plan: NamedPlan,
  look: Look,
): boolean {
  const isName = (look.candidates.bits[leaf]! & plan.names) !== 0
  const name = isName ? leaf : look.list.keys[leaf]!
  return (name >= 0 && look.isIn(probe, name)) !== isDenial
}

/** What made a plan hold, where it holds: at most this many places. */
export function evidenceOf(plan: Plan, look: Look, most: number): Evidence[] {
  const found: Evidence[] = []
  gather(plan, look, found, most)
  return found
}

function gather(plan: Plan, look: Look, found: Evidence[], most: number): void {
  if (found.length >= most) return
  switch (plan.kind) {
    case 'all':
      for (const part of plan.parts) gather(part, look, found, most)
      return
    case 'any': {
      const holding = plan.parts.find((part) => holds(part, look))
      if (holding !== undefined) gather(holding, look, found, most)
      return
    }
    case 'not':
      return
    case 'probe': {
      const leaf = look.leafWith(plan.probe, plan.places)
      if (leaf >= 0) found.push(probeEvidence(plan.probe, leaf, look))
      return
    }
    case 'fact': {
      const phrase = String(plan.datum(look.message) ?? '')
      found.push({ location: plan.location, name: '', view: 'raw', start: 0, end: phrase.length, phrase })
      return
    }
    case 'named':
      found.push(namedEvidence(plan, look))
      return
    case 'plain':
      found.push({ location: plan.location, name: '', view: 'raw', start: 0, end: 0, phrase: '' })
  }
}

/** Where a probe is in a leaf that it is in. */
export function probeEvidence(probe: number, leaf: number, look: Look): Evidence {
  const { start, end } = look.matchIn(probe, leaf)
  return evidenceAt(leaf, start, end, look)
}

function evidenceAt(leaf: number, start: number, end: number, look: Look): Evidence {
  const { list, candidates } = look
  const base = list.starts[leaf]!
  const isRaw = (candidates.bits[leaf]! & RAW_PLACES) !== 0
  return {
    location: locationOf(list.places[leaf]!),
    name: isRaw ? '' : nameOf(leaf, list),
    view: isRaw ? 'raw' : readingOf(list, leaf) || 'plain',
    start,
    end,
    phrase: textOf(list.units, base + start, base + Math.min(end, start + MAX_PHRASE)),
  }
}

/** Cookies are of the headers, so a name says when it is theirs. */
function nameOf(leaf: number, list: LeafList): string {
  const place = list.places[leaf]
  const path = list.path(leaf)
  if (place !== PLACE.COOKIE_VALUE && place !== PLACE.COOKIE_NAME) return path
  return `cookie ${path}`.trimEnd()
}

/** The first named value that satisfies, at what was looked for in it, or else whole. */
function namedEvidence(plan: NamedPlan, look: Look): Evidence {
  for (let leaf = nextNamed(plan, look, 0); leaf >= 0; leaf = nextNamed(plan, look, leaf + 1)) {
    if (!answers(plan.question, leaf, plan, look)) continue
    const probe = probeIn(plan.question, leaf, look)
    if (probe !== null) return probeEvidence(probe.probe, probe.leaf, look)
    return evidenceAt(leaf, 0, look.list.ends[leaf]! - look.list.starts[leaf]!, look)
  }
  return { location: plan.location, name: '', view: 'plain', start: 0, end: 0, phrase: '' }
}

function probeIn(question: Question, root: number, look: Look): { probe: number; leaf: number } | null {
  if (question.kind === 'all' || question.kind === 'any') {
    for (const part of question.parts) {
      const found = probeIn(part, root, look)
      if (found !== null) return found
    }
    return null
  }
  if (question.kind !== 'probe' || question.isDenial) return null
  let leaf = -1
  const found = look.groups.some(root, (one) => {
    leaf = one
    return look.isIn(question.probe, one)
  })
  return found ? { probe: question.probe, leaf } : null
}
