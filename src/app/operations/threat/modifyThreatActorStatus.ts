import { announceActorStatus } from '../../../alerts/index.ts'
import { Failure, nowSeconds } from '../../../kit/index.ts'
import { setActorStatus } from '../../../threat/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { requireText } from './read-selection.ts'

/** Sets the status of an actor. */
export const modifyThreatActorStatus: Handler<'modifyThreatActorStatus'> = async (input, call) => {
  await changeStatus(call, [requireText(input.actorIp, 'actorIp')], input)
  return { actorIp: input.actorIp, status: input.status, endTs: nowSeconds() }
}

const STATUS = /^[\p{L}\p{N}_ -]{1,32}$/u

/**
 * Gives actors a status, and brings the block list up to date.
 *
 * @throws Failure INVALID_ACTOR_STATUS
 */
export async function changeStatus(
  { app, caller }: Call,
  actors: readonly string[],
  to: { readonly status: string; readonly expiresAt: number; readonly reason: string },
): Promise<void> {
  if (!STATUS.test(to.status) || to.status.trim() === '') throw new Failure('INVALID_ACTOR_STATUS', {})
  await setActorStatus(app.store, actors, {
    status: to.status,
    until: Math.max(to.expiresAt, 0),
    login: caller.login,
    reason: to.reason,
    follow: (client) =>
      announceActorStatus(client, {
        event: 'ACTOR_STATUS',
        actors,
        status: to.status.trim().toLowerCase(),
        setBy: caller.login,
        reason: to.reason,
      }),
  })
  await app.threats.writeBlockList()
}
