import { epochSeconds, model, text } from '../schema.ts'

/** An identifier as older clients read it; its usable form is next to it under a name with HexId. */
export const objectId = model('ObjectId', 'An identifier, shown as the second of its creation.', {
  date: text({ description: 'UTC, ISO 8601 without zone and fraction.' }),
  timestamp: epochSeconds(),
})
