import {
  type LiveExchange,
  plainExchange,
  requestHeaderOf,
  requestPathOf,
  responseHeaderOf,
} from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import type { AggregationRule, DistinctIdentifier } from '../filters/filter.ts'
import type { ThreatMessage } from './hit.ts'

/** Longest value, in UTF-16 code units; what is longer is cut. */
const MAX_VALUE = 1_024

/** For each rule the value that it tells messages apart by; null where it asks for none, or the message has none. */
export function distinctValues(
  rules: readonly AggregationRule[],
  { exchange }: ThreatMessage,
): (string | null)[] {
  let view: MessageView | null = null
  // Built only where a rule asks for what has to be parsed: rules that count paths are met by every second message.
  const parsed = (): MessageView => {
    view ??= new MessageView(plainExchange(exchange))
    return view
  }
  return rules.map(({ distinct }) => {
    const value = distinct === null ? undefined : fieldValue(distinct, exchange, parsed)
    return value === undefined || value === null || value === '' ? null : String(value).slice(0, MAX_VALUE)
  })
}

function fieldValue(
  { source, key }: DistinctIdentifier,
  exchange: LiveExchange,
  parsed: () => MessageView,
): unknown {
  const name = key.toLowerCase()
  switch (source) {
    case 'request_payload':
      return parsed().requestBody.leafOf(key)?.value
    case 'response_payload':
      return parsed().responseBody.leafOf(key)?.value
    case 'request_headers':
      return requestHeaderOf(exchange, name)
    case 'response_headers':
      return responseHeaderOf(exchange, name)
    case 'query_param':
      return parsed().query.find((pair) => pair.name.toLowerCase() === name)?.value
    case 'url':
      return requestPathOf(exchange)
  }
}
