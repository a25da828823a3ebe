import type { BodyLimits, BodyValue } from './body-value.ts'
import { emptyObject } from './body-value.ts'
import { parseJsonBody } from './json.ts'

/** Longest data of one event that is looked into. */
const MAX_EVENT_CHARS = 16_384

/** The first events of a server-sent event stream (HTML Living Standard 9.2): `event`, and `data` as JSON where it is. */
export function parseEventStream(
  text: string,
  limits: BodyLimits,
): { value: BodyValue; isTruncated: boolean } {
  const events: BodyValue[] = []
  let name = ''
  let data = ''
  let start = 0
  while (start <= text.length && events.length < limits.maxElements) {
    let end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    const line = text.slice(start, Math.min(end, start + MAX_EVENT_CHARS)).replace(/\r$/, '')
    start = end + 1
    if (line.startsWith('event:')) name = line.slice(6).trim()
    else if (line.startsWith('data:') && data.length < MAX_EVENT_CHARS)
      data += `${data === '' ? '' : '\n'}${line.slice(5).trim()}`
    if ((line === '' || start > text.length) && (data !== '' || name !== '')) {
      events.push(eventOf(name, data, limits))
      name = ''
      data = ''
    }
  }
  return { value: events, isTruncated: start <= text.length }
}

function eventOf(name: string, data: string, limits: BodyLimits): BodyValue {
  const event = emptyObject()
  if (name !== '') event['event'] = name
  const parsed = /^[[{]/.test(data) ? parseJsonBody(data, limits) : undefined
  event['data'] = parsed?.value ?? data
  return event
}
