import { nowSeconds } from '../../../kit/index.ts'
import { eventsOfActor } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { requireText } from './read-selection.ts'
import { metadataText } from './wire-event.ts'

/** The newest events of an actor. */
export const fetchThreatsForActor: Handler<'fetchThreatsForActor'> = async (input, { app, caller }) => {
  const actor = requireText(input.actor, 'actor')
  const events = await eventsOfActor(app.store.pool, actor, caller.collectionIds, input.limit)
  return {
    actor,
    actorActivities: events.map(({ filterId, country, destCountry, ...event }) => ({
      ...event,
      subCategory: filterId,
      metadata: metadataText({ country, destCountry, evidence: [] }),
    })),
    endTs: nowSeconds(),
  }
}
