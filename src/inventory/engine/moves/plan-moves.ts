import { isParamType, type PathTrie, splitSuffixes } from '../../../path-templates/index.ts'
import type { EndpointMove } from '../port.ts'

/** What the path engine counted of the retained paths that stand at one endpoint. */
export interface Standing {
  count: number
  /** Seconds. */
  firstSeen: number
  lastSeen: number
  /** URLs of the paths. */
  readonly urls: string[]
}

/** Endpoints that leave a template of one method; others may stay at it. */
export interface Leave {
  readonly method: string
  readonly from: string
  readonly to: string[]
  /** Nothing is observed at the template any more. */
  readonly isWhole: boolean
}

/** Moves as they are written: what leaves a template first, then what joins one. */
export interface MovePlan {
  readonly leaves: readonly Leave[]
  readonly joins: readonly EndpointMove[]
}

/** What stands where in a trie, by `METHOD url`. */
export function standingIn(trie: PathTrie, origin: string): Map<string, Standing> {
  const found = new Map<string, Standing>()
  for (const { method, path, template, count, firstSeen, lastSeen } of trie.standing()) {
    const key = `${method} ${origin}${template}`
    const known = found.get(key)
    if (known === undefined) {
      found.set(key, { count, firstSeen, lastSeen, urls: [origin + path] })
      continue
    }
    known.count += count
    known.firstSeen = Math.min(known.firstSeen, firstSeen)
    known.lastSeen = Math.max(known.lastSeen, lastSeen)
    known.urls.push(origin + path)
  }
  return found
}

/**
 * Tells moves by which an endpoint becomes part of another from those by which a part leaves a template: a word that
 * turned out to be the name of a resource, numbers with answers of their own. A template that all leave for the same
 * place, or for another type of its parameters, goes there as a whole.
 */
export function planMoves(moves: readonly EndpointMove[], standing: ReadonlyMap<string, Standing>): MovePlan {
  const groups = new Map<string, EndpointMove[]>()
  for (const move of moves) {
    const key = `${move.method} ${move.from}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [move])
    else group.push(move)
  }
  const leaves: Leave[] = []
  const joins: EndpointMove[] = []
  for (const [key, group] of groups) {
    const { method, from } = group[0]!
    const isStanding = standing.has(key)
    const whole = isStanding ? undefined : group.find((move) => isWholeMove(move, group))
    if (whole !== undefined) joins.push(whole)
    const to = group.filter((move) => move !== whole).map((move) => move.to)
    if (to.length > 0) leaves.push({ method, from, to, isWhole: !isStanding && whole === undefined })
  }
  return { leaves, joins }
}

function isWholeMove({ from, to }: EndpointMove, group: readonly EndpointMove[]): boolean {
  if (!isTemplateUrl(from) || isSameShape(from, to)) return true
  return group.length === 1 && isTemplateUrl(to)
}

/** True for two templates that differ in the types of their parameters alone. */
export function isSameShape(from: string, to: string): boolean {
  const before = partsOf(from)
  const after = partsOf(to)
  return (
    before.length === after.length &&
    before.every((segment, i) => segment === after[i] || (isParamType(segment) && isParamType(after[i]!)))
  )
}

/** True for the URL of a template; a literal segment of such a text is none. */
export function isTemplateUrl(url: string): boolean {
  return partsOf(url).some(isParamType)
}

/** Segments and their suffixes: not only the last, for operations follow them too. */
function partsOf(url: string): string[] {
  return url.split('/').flatMap(splitSuffixes)
}
