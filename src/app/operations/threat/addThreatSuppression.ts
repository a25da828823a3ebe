import { Failure } from '../../../kit/index.ts'
import { addSuppression } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { shownUrl } from '../../shown-urls.ts'
import { wireSuppression } from './wire-suppression.ts'

/** Adds a rule by which events are not stored. */
export const addThreatSuppression: Handler<'addThreatSuppression'> = async (input, { app, caller }) => {
  const given = (text: string | null): string | null => text?.trim() || null
  const url = given(input.url)
  const scope = {
    filterId: given(input.filterId),
    // As events have it.
    url: url && (await shownUrl(app.store, url)),
    host: given(input.host)?.toLowerCase() ?? null,
    actor: given(input.actor),
    collectionId: input.apiCollectionId,
  }
  if (Object.values(scope).every((value) => value === null))
    throw new Failure('SUPPRESSION_WITHOUT_SCOPE', {})
  const made = await addSuppression(app.store.pool, scope, {
    login: caller.login,
    reason: input.reason,
    expiresAt: Math.max(input.expiresAt, 0),
  })
  if (made === null) throw new Failure('TOO_MANY_SUPPRESSIONS', {})
  return { suppression: wireSuppression(made) }
}
