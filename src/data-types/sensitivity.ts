import type { Location } from './data-type.ts'
import { DATA_TYPES } from './registry.generated.ts'

/** The four positions of the wire. */
export type WirePosition = 'REQUEST_HEADER' | 'REQUEST_PAYLOAD' | 'RESPONSE_HEADER' | 'RESPONSE_PAYLOAD'

const WIRE_POSITIONS: Readonly<Record<Location, WirePosition>> = {
  REQUEST_HEADER: 'REQUEST_HEADER',
  COOKIE: 'REQUEST_HEADER',
  REQUEST_PAYLOAD: 'REQUEST_PAYLOAD',
  PATH: 'REQUEST_PAYLOAD',
  QUERY: 'REQUEST_PAYLOAD',
  RESPONSE_HEADER: 'RESPONSE_HEADER',
  SET_COOKIE: 'RESPONSE_HEADER',
  TRAILER: 'RESPONSE_HEADER',
  RESPONSE_PAYLOAD: 'RESPONSE_PAYLOAD',
}

/** The wire's position of a location: path and query count as request payload, cookies as headers. */
export function wirePosition(location: Location): WirePosition {
  return WIRE_POSITIONS[location]
}

const BY_NAME = new Map(DATA_TYPES.map((type) => [type.name, type]))

/** True when finding this type at this place is a concern. Unknown (custom) names: false, their own record decides. */
export function isSensitive(typeName: string, location: Location): boolean {
  const type = BY_NAME.get(typeName)
  if (type === undefined || type.sensitiveIn === 'NEVER') return false
  return type.sensitiveIn === 'ALWAYS' || type.sensitiveIn.includes(location)
}
