import { parseSampleMessage, type RequestMessage } from '../../../http/index.ts'
import { Failure } from '../../../kit/index.ts'

/** The request of a sample message. @throws Failure INVALID_SAMPLE_DATA */
export function sampleRequest(sampleData: string | null): RequestMessage {
  if (sampleData === null) throw new Failure('INVALID_SAMPLE_DATA', {})
  try {
    return parseSampleMessage(sampleData).request
  } catch (error) {
    throw new Failure('INVALID_SAMPLE_DATA', {}, { cause: error })
  }
}
