import { templateWords } from '../../contract/vocabulary.ts'
import type { Trial } from './judge.ts'
import { showsWhole } from './list-entries.ts'
import type { AttemptRecord, ControlRecord } from './pair-result.ts'
import { hasPrivateValue } from './private-values.ts'
import { actingRoles, isAboutObjects } from './test-callers.ts'
import type { Listing } from './tools.ts'

/** What is known of the owner of an object that another user got. */
interface Ownership {
  /** A sentence for people: why it belongs to its owner; '' where nothing says so. */
  readonly evidence: string
  /** The lists of the other user have an entry for it, so that user may be meant to see it. */
  readonly isListed: boolean
  /** Lists were recorded showing the same objects to both, so reading them may be meant. */
  readonly isMutual: boolean
  /** The other user's own list, where it shows the object: then it is shared. */
  readonly control: ControlRecord | null
}

/**
 * Looks whether an object that another user got belongs to one user at all; null for tests about something else.
 *
 * @param isSeenLater a later read shows what the attack did
 * @throws Failure a code of the sender
 */
export async function ownershipOf(
  trial: Trial,
  proof: AttemptRecord | undefined,
  isSeenLater: boolean,
): Promise<Ownership | null> {
  const { template, endpoint, sample, tools } = trial
  if (!isAboutObjects(template) || proof === undefined) return null
  const [role] = actingRoles(template)
  if (role !== undefined && !isSeenLater && (await isOwnAnswer(trial, role, proof)))
    return { evidence: '', isListed: false, isMutual: false, control: refuted(SAME_AS_OWN) }
  const list = role === undefined ? null : await tools.listAnswer(role, endpoint)
  const shared =
    list !== null && showsWhole(list, proof.exchange)
      ? SHARED
      : role !== undefined &&
          endpoint.method === 'GET' &&
          !hasPrivateValue(proof.exchange, tools.lookups) &&
          (await tools.isPartOfShared(role, endpoint))
        ? PART_OF_SHARED
        : null
  const listing =
    shared !== null || role === undefined ? 'none' : await tools.listingFor(role, endpoint, proof.exchange)
  const listed =
    listing === 'granted'
      ? GRANTED
      : listing === 'member'
        ? MEMBER
        : listing === 'shared' && endpoint.method === 'GET'
          ? LISTED
          : null
  const reason = shared ?? listed
  const control = reason === null ? null : refuted(reason)
  const evidence = tools.lookups.ownershipOf(endpoint, sample) || (listing === 'hidden' ? HIDDEN : '')
  const isMutual = listing === 'mutual' && endpoint.method === 'GET'
  return { evidence, isListed: !UNLISTED.has(listing), isMutual, control }
}

/** What lists tell where none that the other user is shown has an entry for the object. */
const UNLISTED: ReadonlySet<Listing> = new Set(['none', 'member', 'hidden'])

function refuted(explanation: string): ControlRecord {
  return { kind: 'list', attempt: null, confirms: false, explanation }
}

/** Whether the attacker is answered the same with its own object, where only the body or the query names the object. */
async function isOwnAnswer(
  { endpoint, tools }: Trial,
  role: string,
  { exchange: { response } }: AttemptRecord,
): Promise<boolean> {
  if (pathOf(endpoint.url).some((segment) => PARAMETER_WORDS.has(segment))) return false
  const own = await tools.ownAnswer(role, endpoint)
  return own !== null && own.response.status === response.status && own.response.body === response.body
}

function pathOf(url: string): string[] {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split('/')
}

/** Segments of a path template that are parameters. */
const PARAMETER_WORDS: ReadonlySet<string> = new Set(templateWords)

const HIDDEN =
  'The list of such objects shows it to its owner, and leaves it out when the attacker asks for the same list.'
const SAME_AS_OWN =
  'The attacker gets the same answer to its own request, so the answer shows nothing of the object, and no later read does.'

const LISTED =
  'A list that the application shows to the attacker has an entry with the values of the object, and the response has no other value that people keep to themselves: other users may be meant to see it.'
const MEMBER =
  'The application told the attacker that it belongs to everything that the address names, such as the organization, and the response has no value that people keep to themselves: all members may be meant to see it.'
const GRANTED =
  'A list that the application shows to the attacker has an entry of that name, and the application told the attacker that it may write such objects there: they are shared.'
const SHARED =
  'The list that the application shows to the attacker holds the same object: it is shared with all of its users.'
const PART_OF_SHARED =
  'It is a part of an object that the application shows to the attacker as a whole in a list: that is shared with all of its users.'
