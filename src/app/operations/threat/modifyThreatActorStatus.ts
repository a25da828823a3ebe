import { announceActorStatus } from '../../../alerts/announce.ts'
import type { ResponseOf } from '../../../contract/index.ts'
import { Failure, nowSeconds } from '../../../kit/index.ts'
import { actorText, BLOCKED, GAP_SENTENCES, setActorStatus } from '../../../threat/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { requireText } from './read-selection.ts'

/** Sets the status of an actor. */
export const modifyThreatActorStatus: Handler<'modifyThreatActorStatus'> = async (input, call) => {
  const actor = requireActor(input.actorIp, 'actorIp')
  const notEnforced = await changeStatus(call, [actor], input)
  return { actorIp: actor, status: input.status, endTs: nowSeconds(), notEnforced }
}

type Unenforced = NonNullable<ResponseOf<'modifyThreatActorStatus'>['notEnforced']>

const STATUS = /^[\p{L}\p{N}_ -]{1,32}$/u

/**
 * The actor that a client means, as it is kept. One that would be cut is another actor.
 *
 * @throws Failure FIELD_REQUIRED, INVALID_FIELD
 */
export function requireActor(sent: string, field: string): string {
  const actor = requireText(sent, field).trim()
  if (actorText(actor) !== actor) throw new Failure('INVALID_FIELD', { field })
  return actor
}

/**
 * Gives actors a status, and brings the block list up to date.
 *
 * @returns who of them is blocked though gateways let it through
 * @throws Failure INVALID_ACTOR_STATUS
 */
export async function changeStatus(
  { app, caller }: Call,
  actors: readonly string[],
  to: { readonly status: string; readonly expiresAt: number; readonly reason: string },
): Promise<Unenforced> {
  if (!STATUS.test(to.status) || to.status.trim() === '') throw new Failure('INVALID_ACTOR_STATUS', {})
  const status = to.status.trim().toLowerCase()
  const until = Math.max(to.expiresAt, 0)
  await setActorStatus(app.store, actors, {
    status,
    until,
    login: caller.login,
    reason: to.reason,
    follow: (client) =>
      announceActorStatus(client, {
        event: 'ACTOR_STATUS',
        actors,
        status,
        setBy: caller.login,
        reason: to.reason,
      }),
  })
  await app.threats.writeBlockList()
  if (status !== BLOCKED) return []
  return actors.flatMap((actor) => {
    const reason = app.threats.enforcementGap(actor, until)
    return reason === null ? [] : [{ actor, reason, explanation: GAP_SENTENCES[reason] }]
  })
}
