import { writeCurl } from '../../../http/index.ts'
import type { Handler } from '../../handler.ts'
import { sampleRequest } from './sample-request.ts'

/** Turns a sample message into a curl command. */
export const convertSampleDataToCurl: Handler<'convertSampleDataToCurl'> = async (input) => ({
  curlString: writeCurl(sampleRequest(input.sampleData)),
})
