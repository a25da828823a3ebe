import { writeRawRequest } from '../../../http/index.ts'
import type { Handler } from '../../handler.ts'
import { sampleRequest } from './sample-request.ts'

/** Turns a sample message into a raw request. */
export const convertSamleDataToBurpRequest: Handler<'convertSamleDataToBurpRequest'> = async (input) => ({
  burpRequest: writeRawRequest(sampleRequest(input.sampleData), { target: 'origin', contentLength: false }),
})
