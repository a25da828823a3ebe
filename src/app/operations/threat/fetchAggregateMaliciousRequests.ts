import { Failure, nowSeconds } from '../../../kit/index.ts'
import { messagesOfRefs, seenRefs } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { shownMessages } from '../../shown-messages.ts'
import { isUuid } from './read-selection.ts'
import { metadataJson } from './wire-event.ts'

/** The whole messages behind an event, those of collections that the caller may see. */
export const fetchAggregateMaliciousRequests: Handler<'fetchAggregateMaliciousRequests'> = async (
  input,
  call,
) => {
  const { app, caller } = call
  const { refId, actor, filterId } = input
  if (!refId && !(actor && filterId)) throw new Failure('REF_ID_REQUIRED', {})
  const isAggregated = input.eventType === 'AGGREGATED'
  const refs = await seenRefs(app.store.pool, caller.collectionIds, {
    refId: refId && isUuid(refId) ? refId : null,
    of: (isAggregated || !refId) && actor && filterId ? { actor, filterId } : null,
  })
  const messages = await messagesOfRefs(app.store.pool, refs, caller.collectionIds)
  const shown = await shownMessages(call, {
    operation: 'fetchAggregateMaliciousRequests',
    isUnmasked: input.unmasked,
    of: refs.join(' '),
  })
  const kept = await shown.events(messages)
  return {
    maliciousPayloadsResponses: kept.map(({ message, at, facts }) => ({
      orig: message,
      metadata: metadataJson(facts),
      ts: at,
    })),
    endTs: nowSeconds(),
  }
}
