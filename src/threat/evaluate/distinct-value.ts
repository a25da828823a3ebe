import { headerValue, plainExchange, requestPathOf } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import type { AggregationRule, DistinctIdentifier } from '../filters/filter.ts'
import type { ThreatMessage } from './hit.ts'

/** Longest value, in UTF-16 code units; what is longer is cut. */
const MAX_VALUE = 1_024

/** For each rule the value that it tells messages apart by; null where it asks for none, or the message has none. */
export function distinctValues(rules: readonly AggregationRule[], message: ThreatMessage): (string | null)[] {
  if (rules.every(({ distinct }) => distinct === null)) return rules.map(() => null)
  const view = new MessageView(plainExchange(message.exchange))
  return rules.map(({ distinct }) => {
    const value = distinct === null ? undefined : fieldValue(distinct, view)
    return value === undefined || value === null || value === '' ? null : String(value).slice(0, MAX_VALUE)
  })
}

function fieldValue({ source, key }: DistinctIdentifier, view: MessageView): unknown {
  const name = key.toLowerCase()
  switch (source) {
    case 'request_payload':
      return view.requestBody.leafOf(key)?.value
    case 'response_payload':
      return view.responseBody.leafOf(key)?.value
    case 'request_headers':
      return headerValue(view.exchange.request.headers, key)
    case 'response_headers':
      return headerValue(view.exchange.response.headers, key)
    case 'query_param':
      return view.query.find((pair) => pair.name.toLowerCase() === name)?.value
    case 'url':
      return requestPathOf(view.exchange)
  }
}
