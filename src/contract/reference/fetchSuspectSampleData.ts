import { adapter } from './adapter.ts'
import { metadataJson } from './text-format.ts'

/** What is known of events as JSON text. */
export const fetchSuspectSampleData = adapter('fetchSuspectSampleData', {
  answer: (body) => ({
    ...body,
    maliciousEvents: body.maliciousEvents.map((event) => ({
      ...event,
      metadata: metadataJson(event.metadata),
    })),
  }),
})
