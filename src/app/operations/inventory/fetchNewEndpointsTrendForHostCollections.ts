import type { Handler } from '../../handler.ts'
import { newEndpointsTrend } from './new-endpoints-trend.ts'

/** Counts new endpoints per day in collections with a host. */
export const fetchNewEndpointsTrendForHostCollections: Handler<'fetchNewEndpointsTrendForHostCollections'> = (
  input,
  call,
) => newEndpointsTrend(input, true, call)
