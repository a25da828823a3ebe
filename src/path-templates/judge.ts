import { isLocale, namesCollection } from './lexicon.ts'
import { isAlike, type Kid, type Position } from './position.ts'
import type { PositionMemory } from './position-memory.ts'

/** Score from which a token is taken for a value. */
const FOLD_FROM = 1.5

const VERSIONS_BELOW = -6
/** Share of likeness from which subtrees count as the same. */
const IDENTICAL_FROM = 0.8
/** From four times as often on (in powers of two), names are distinguished from values by how often they are asked for. */
const OFTEN = 2
/** Names that what they have in common may tell: two can be a pair, such as a draft and what is live. */
const FEW = 3

/** Callers whose names stand at one position, from which on it is where they are named: an area can be called as one is. */
const SEVERAL_CALLERS = 2
const OWN_NAME = 7
/** What reads like the name or number of somebody, beside the names of callers. */
const BESIDE_CALLERS = 3
const LIKE_CALLERS: ReadonlySet<string> = new Set(['name', 'slug', 'digits', 'mixed'])

/** One piece of evidence, in log-odds-like units; positive for a value. */
export interface Factor {
  name: string
  value: number
}

export interface Verdict {
  token: string
  folded: boolean
  score: number
  /** Filled only when asked for. */
  factors: readonly Factor[]
}

/** Sum of evidence, with its pieces when somebody wants to read them. */
class EvidenceSum {
  score = 0
  readonly factors: Factor[] = []
  readonly #keeps: boolean

  constructor(keeps: boolean) {
    this.#keeps = keeps
  }

  add(name: string, value: number): void {
    if (value === 0) return
    this.score += value
    if (this.#keeps) this.factors.push({ name, value })
  }
}

/** What the members of a position have in common. */
interface Group {
  size: number
  distinct: number
  /** Mean lexical weight. */
  mean: number
  requests: number
  role: number
  /** 0 … 1: how sure it is that there are values here at all, by those that are not words. */
  certainty: number
  richness: number
  /** Members that are texts of locales. */
  locales: number
  /** Callers whose own names children are. */
  callers: number
  /** One of them is neither a word nor a short code, as roles and their areas are: it names a person. */
  hasNamedCaller: boolean
  common: EvidenceSum
}

/** Judges which children of a position are values of one parameter. Pure: the same evidence gives the same verdicts. */
export function judge(position: Position, memory: PositionMemory, keepsFactors = false): Verdict[] {
  const group = groupOf(position, memory)
  const verdicts: Verdict[] = []
  for (const kid of position.kids) {
    if (kid.likeness === null) continue
    const evidence = new EvidenceSum(keepsFactors)
    if (isAlike(kid)) judgeMember(kid, position, group, evidence)
    else judgeStranger(kid, group, evidence)
    if (group.callers >= SEVERAL_CALLERS && group.hasNamedCaller) {
      if (kid.callerMark !== null) evidence.add("its caller's own name", OWN_NAME)
      else if (isAlike(kid) && LIKE_CALLERS.has(kid.lexeme.kind))
        evidence.add('beside names of callers', BESIDE_CALLERS)
    }
    if (memory.isKnownValue(kid.token, memory.wasFolded(position.text, kid.token))) {
      evidence.add('known value', kid.lexeme.weight < 0 ? 0.8 : 1.6)
    }
    const { score, factors } = evidence
    verdicts.push({ token: kid.token, folded: score >= FOLD_FROM, score, factors })
  }
  return verdicts
}

function judgeMember(kid: Kid, position: Position, group: Group, evidence: EvidenceSum): void {
  const own = kid.lexeme.weight
  const { share, information } = kid.likeness!
  evidence.add('lexical', group.mean + 0.8 * (own - group.mean))
  for (const { name, value } of group.common.factors) evidence.add(name, value)
  const alike = 2 * group.certainty * clamp((share - 0.6) / 0.3, -1, 1) * clamp(information / 3, 0, 1)
  const doubt = 1 - 0.4 * Math.max(0, alike) - 0.2 * group.richness * (1 - group.certainty)
  evidence.add('like certain values', alike)
  // Areas of an interface have their own versions below them, and each its own resources there; values have the same.
  if (kid.hasVersions) evidence.add('versions below', VERSIONS_BELOW * clamp((0.95 - share) / 0.1, 0, 1))
  if (group.locales >= 2 && isLocale(kid.token)) evidence.add('locales', 4.5)
  const parents = position.evidence.length
  if (parents >= 4) {
    const fade = clamp((40 - group.distinct) / 32, 0, 1)
    const recurrence = kid.nodes.length / parents
    evidence.add('parent recurrence', doubt * clamp(-6 * (recurrence - 0.3) * fade, -4, 2))
  }
  if (group.size > 5 && own < 0 && kid.count > 0.3 * group.requests) evidence.add('dominance', -2 * doubt)
}

/** A child that does not look like the others, or of which too little was seen to tell. */
function judgeStranger(kid: Kid, group: Group, evidence: EvidenceSum): void {
  const { share, information } = kid.likeness!
  const told = clamp(information / 3, 0, 1) * clamp((0.5 - share) / 0.25, 0, 1)
  evidence.add('lexical', kid.lexeme.weight)
  evidence.add('unlike its siblings', -2.5 * told)
  evidence.add('little known', (1 - told) * clamp(group.distinct / 4 - 2, -2.5, 2))
  evidence.add('role', (1 - told) * group.role)
  if (kid.hasVersions) evidence.add('versions below', VERSIONS_BELOW)
}

function groupOf(position: Position, memory: PositionMemory): Group {
  const strong = Math.min(8, position.strongValues)
  const count = countMembers(position)
  const { size, requests, locales, callers, hasNamedCaller } = count
  const distinct = size + strong
  const mean = size === 0 ? 0 : count.lexical / size
  const growth = requests === 0 ? 0 : clamp(count.singles / requests / 0.04, 0, 1)
  const role = memory.roleOf(position.text, position.literalName)
  const positive = count.positive + strong
  const names = size === 0 ? 0 : clamp((count.names / size - 0.5) / 0.3, 0, 1)
  const rich = richness(position, size) * clamp(mean + 1.8, 0, 1)
  const certainty = Math.max(
    clamp((positive / Math.max(1, distinct) - 0.2) / 0.5, 0, 1) * clamp(positive / 4, 0, 1),
    growth * clamp((distinct - 8) / 16, 0, 1) * clamp((mean + 1.5) / 0.5, 0, 1),
    clamp(rich / 1.5, 0, 1) * clamp((distinct - 8) / 12, 0, 1) * (1 - names),
  )
  const common = new EvidenceSum(true)
  // Many names of an interface are still names.
  const most = clamp(3 + 4 * (mean + 0.7), 1, 3)
  common.add('cardinality', clamp(1.1 * Math.log2(Math.max(distinct, 0.5) / 6), -2.5, most))
  common.add('growth', growth)
  common.add('role', role > 0 && mean < 0 ? role * clamp(distinct / 6, 0.3, 1) : role)
  if (mean <= -0.5 && role <= 0) common.add('few words', -2 * clamp(5.5 - distinct, 0, 1))
  if (position.depth === 0) common.add('first segment', -2.5)
  if (position.literalName !== '') {
    common.add('after a collection', namesCollection(position.literalName) ? 0.8 : -0.5)
  }
  if (position.strongValues >= 3) {
    common.add('odd one among certain values', -2 * clamp(4 - size, 0, 1))
    const favour = Math.max(0, favourOf(position, requests, size) - OFTEN)
    common.add('asked for more often than certain values', -clamp(2 * favour * -mean, 0, 2.5))
  }
  common.add('names of collections', -1.5 * names)
  common.add(
    'among static siblings',
    -1.5 * clamp(Math.log2((count.strangers + 1) / (distinct + 1)) / 2, 0, 1),
  )
  common.add('richness', rich)
  common.add('identical subtrees', identicalSubtrees(position, size))
  common.add('values elsewhere', valuesElsewhere(position, memory, size))
  return {
    size,
    distinct,
    mean,
    requests,
    role,
    certainty,
    richness: rich,
    common,
    locales,
    callers,
    hasNamedCaller,
  }
}

interface MemberCount {
  size: number
  /** Sum of lexical weights. */
  lexical: number
  requests: number
  /** Members seen in one request. */
  singles: number
  /** Members that are not words. */
  positive: number
  /** Members that read like names of collections. */
  names: number
  /** Children that are certainly unlike the members. */
  strangers: number
  locales: number
  callers: number
  hasNamedCaller: boolean
}

function countMembers(position: Position): MemberCount {
  const count = {
    size: 0,
    lexical: 0,
    requests: 0,
    singles: 0,
    positive: 0,
    names: 0,
    strangers: 0,
    locales: 0,
    callers: 0,
    hasNamedCaller: false,
  }
  const marks = new Set<number>()
  for (const kid of position.kids) {
    const { weight, kind } = kid.lexeme
    if (kid.callerMark !== null) {
      marks.add(kid.callerMark)
      count.hasNamedCaller ||= weight > 0 && kind !== 'code'
    }
    if (!isAlike(kid)) {
      if (kid.likeness === null || kid.likeness.information >= 1.5) count.strangers++
      continue
    }
    count.size++
    count.lexical += weight
    count.requests += kid.count
    if (kid.count === 1) count.singles++
    if (weight > 0) count.positive++
    if (isLocale(kid.token)) count.locales++
    if (kind === 'resource' || kind === 'plural' || kind === 'coined') count.names++
  }
  count.callers = marks.size
  return count
}

/** How much more often the members were asked for than each certain value beside them, in powers of two. */
function favourOf(position: Position, requests: number, size: number): number {
  if (size === 0) return 0
  let certain = 0
  for (const { count } of position.strong) certain += count
  return Math.log2(requests / size / (certain / position.strongValues))
}

/** Many equal kinds of answers, and equal static segments, below most members. */
function richness(position: Position, size: number): number {
  let leaves = 0
  let tokens = 0
  let members = 0
  for (const kid of position.kids) {
    if (!isAlike(kid) || kid.likeness!.share < 0.75) continue
    leaves += kid.likeness!.sharedLeaves
    tokens += kid.likeness!.sharedTokens
    members++
  }
  return members === 0 || members < size / 2 ? 0 : clamp((leaves + 0.75 * tokens) / members - 1, 0, 3)
}

/**
 * A few items of a collection show by what stands below each of them that they are items: the same methods, kinds of
 * answers and static segments. Collections side by side are alike too, but have identifiers below. Where nobody was seen
 * asking for the list above, more must be alike.
 */
function identicalSubtrees(position: Position, size: number): number {
  if (size < 2 || !namesCollection(position.literalName)) return 0
  const hasList = position.evidence.some(({ leaves }) => leaves)
  if (!hasList && size < FEW) return 0
  let elements = 0
  for (const kid of position.kids) {
    if (!isAlike(kid)) continue
    const { share, sharedLeaves, sharedTokens } = kid.likeness!
    if (share < IDENTICAL_FROM || holdsIdentifiers(kid)) return 0
    elements += sharedLeaves + sharedTokens
  }
  return (size >= FEW ? 9 : 4) * clamp((elements / size - (hasList ? 4 : 8)) / 4, 0, 1)
}

/**
 * The same few names at several positions are values of one parameter at all of them, when they are at one: the name
 * of a flag is part of the addresses of its strategies, its tags and its events.
 */
function valuesElsewhere(position: Position, memory: PositionMemory, size: number): number {
  if (size < FEW || position.depth === 0) return 0
  const alike = position.kids.filter(isAlike)
  if (alike.some((kid) => holdsIdentifiers(kid) || kid.likeness!.sharedLeaves === 0)) return 0
  const share = memory.shareOfSameValues(
    position.text,
    alike.map(({ token }) => token),
  )
  return 4 * clamp((share - 0.5) / 0.25, 0, 1)
}

/** True for what has identifiers right below, as a collection has. */
function holdsIdentifiers(kid: Kid): boolean {
  return kid.nodes.some(({ children }) => children.some(({ values }) => values !== null))
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}
