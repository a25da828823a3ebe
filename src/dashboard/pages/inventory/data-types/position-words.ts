import type { DataType } from '../../../../contract/browser.ts'

/** Positions of values in words. */
export const positionWords: Record<DataType['sensitivePosition'][number], string> = {
  REQUEST_HEADER: 'request headers',
  REQUEST_PAYLOAD: 'request body and query',
  RESPONSE_HEADER: 'response headers',
  RESPONSE_PAYLOAD: 'response body',
}
