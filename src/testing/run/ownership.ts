import type { Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord, ControlRecord } from './pair-result.ts'
import { actingRoles, isAboutObjects } from './test-callers.ts'

/** Share of the values of an object that a list must show to show the object. */
const MOST_VALUES = 0.8
/** Longest list that is read. */
const MAX_LIST = 4_000_000

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
  const control: ControlRecord | null =
    list !== null && shows(list, proof.exchange)
      ? {
          kind: 'list',
          attempt: null,
          confirms: false,
          explanation:
            'The list that the application shows to the attacker holds the same object: it is shared with all of its users.',
        }
      : null
  const isListed = control === null && role !== undefined && (await tools.isListedFor(role, endpoint))
  return { evidence: tools.lookups.ownershipOf(endpoint, sample), isListed, control }
}

/** Whether an item of a list holds most values of an object. */
function shows(list: Exchange, object: Exchange): boolean {
  if (list.response.status !== 200 || list.response.body.length > MAX_LIST) return false
  const values = textsOf(object)
  const listed = new Set(textsOf(list))
  return values.length > 0 && values.filter((text) => listed.has(text)).length >= values.length * MOST_VALUES
}

function textsOf(exchange: Exchange): string[] {
  return new MessageView(exchange).responseBody.leaves.map(({ value }) => String(value))
}
