import { expect, test } from 'vitest'
import { readSentEvent } from './sent-event.ts'

const EVENT = { actor: '203.0.113.9', filterId: 'F', latestApiEndpoint: '/a', detectedAt: 1_800_000_000 }
const NOW = 1_800_000_010

test('the same event has the same id, however its fields are written and whatever other fields there are', () => {
  const { id } = readSentEvent(EVENT, NOW)
  const again = {
    sentAt: 5,
    filter_id: 'F',
    actor: EVENT.actor,
    detected_at: '1800000000',
    latestApiEndpoint: '/a',
  }
  expect(readSentEvent(again, NOW + 60).id).toBe(id)
  expect(readSentEvent({ ...EVENT, detectedAt: NOW + 5_000 }, NOW + 1).id).toBe(
    readSentEvent({ ...EVENT, detectedAt: NOW + 5_000 }, NOW + 2).id,
  )
})

test.each([
  { latestApiEndpoint: '/b' },
  { latestApiIp: '203.0.113.8' },
  { severity: 'HIGH' },
  { detectedAt: 1 },
])('another event has another id: %j', (part) => {
  expect(readSentEvent({ ...EVENT, ...part }, NOW).id).not.toBe(readSentEvent(EVENT, NOW).id)
})
