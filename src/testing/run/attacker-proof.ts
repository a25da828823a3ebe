import type { Exchange } from '../../http/index.ts'
import { ATTACKER_ROLE } from '../attempts/index.ts'
import type { Doubt } from './absence.ts'
import type { Trial } from './judge.ts'
import { actingRoles, isAboutObjects } from './test-callers.ts'

/**
 * Why the refusal of an attack on another user's object says nothing about objects: the attacker was not shown to be able
 * to use the endpoint with its own object, so it may be refused for its role. Null where it was, and for other tests.
 *
 * @throws Failure a code of the sender
 */
export async function attackerDoubt({ template, endpoint, tools }: Trial): Promise<Doubt | null> {
  if (!isAboutObjects(template)) return null
  for (const role of actingRoles(template)) {
    const who = role === ATTACKER_ROLE ? 'the attacker' : `the role ${role}`
    const own = await tools.ownAnswer(role, endpoint)
    if (own === null)
      return {
        code: 'ATTACKER_NOT_PROVEN',
        text: `The attack was refused, but no request of ${who} with its own object was recorded at this endpoint, and none could be made from a document: it may not be allowed to use the endpoint at all. Record ${who} using it.`,
      }
    if (!isWelcome(own))
      return {
        code: 'ATTACKER_NOT_PROVEN',
        text: `The attack was refused, but the own request of ${who} to this endpoint is answered with ${own.response.status} as well. Record ${who} using it again.`,
      }
  }
  return null
}

function isWelcome({ response: { status } }: Exchange): boolean {
  return (status >= 200 && status < 400) || status === 304
}
