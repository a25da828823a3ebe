import { callsPerMinute } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { readEndpoint } from '../inventory/require-endpoint.ts'

/** Counts the calls of an endpoint per minute. */
export const fetchApiCallStats: Handler<'fetchApiCallStats'> = async (input, call) => {
  const endpoint = await readEndpoint(input, call)
  const [from, to] = [Math.floor(input.startEpoch / 60), Math.floor(input.endEpoch / 60)]
  const minutes = endpoint === undefined ? [] : await callsPerMinute(call.app, endpoint.id, from, to)
  return { result: { apiCallStats: minutes.map(({ minute, count }) => ({ ts: minute, count })) } }
}
