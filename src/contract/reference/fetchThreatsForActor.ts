import { adapter } from './adapter.ts'
import { metadataJson } from './text-format.ts'

/** What is known of events as JSON text. */
export const fetchThreatsForActor = adapter('fetchThreatsForActor', {
  answer: (body) => ({
    ...body,
    actorActivities: body.actorActivities.map((one) => ({ ...one, metadata: metadataJson(one.metadata) })),
  }),
})
