import type { Trial } from './judge.ts'
import { showsWhole } from './list-entries.ts'
import type { AttemptRecord, ControlRecord } from './pair-result.ts'
import { hasPrivateValue } from './private-values.ts'
import { actingRoles, isAboutObjects } from './test-callers.ts'

/** What is known of the owner of an object that another user got. */
interface Ownership {
  /** A sentence for people: why it belongs to its owner; '' where nothing says so. */
  readonly evidence: string
  /** The lists of the other user have an entry for it, so that user may be meant to see it. */
  readonly isListed: boolean
  /** The other user's own list, where it shows the object: then it is shared. */
  readonly control: ControlRecord | null
}

/**
 * Looks whether an object that another user got belongs to one user at all; null for tests about something else.
 *
 * @throws Failure a code of the sender
 */
export async function ownershipOf(
  { template, endpoint, sample, tools }: Trial,
  proof: AttemptRecord | undefined,
): Promise<Ownership | null> {
  if (!isAboutObjects(template) || proof === undefined) return null
  const [role] = actingRoles(template)
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
    listing === 'granted' ? GRANTED : listing === 'shared' && endpoint.method === 'GET' ? LISTED : null
  const reason = shared ?? listed
  const control: ControlRecord | null =
    reason === null ? null : { kind: 'list', attempt: null, confirms: false, explanation: reason }
  return { evidence: tools.lookups.ownershipOf(endpoint, sample), isListed: listing !== 'none', control }
}

const LISTED =
  'A list that the application shows to the attacker has an entry with the values of the object, and the response has no other value that people keep to themselves: other users may be meant to see it.'
const GRANTED =
  'A list that the application shows to the attacker has an entry of that name, and the application told the attacker that it may write such objects there: they are shared.'
const SHARED =
  'The list that the application shows to the attacker holds the same object: it is shared with all of its users.'
const PART_OF_SHARED =
  'It is a part of an object that the application shows to the attacker as a whole in a list: that is shared with all of its users.'
