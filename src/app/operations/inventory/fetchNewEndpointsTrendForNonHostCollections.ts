import type { Handler } from '../../handler.ts'
import { newEndpointsTrend } from './new-endpoints-trend.ts'

/** Counts new endpoints per day in collections without a host. */
export const fetchNewEndpointsTrendForNonHostCollections: Handler<
  'fetchNewEndpointsTrendForNonHostCollections'
> = (input, call) => newEndpointsTrend(input, false, call)
