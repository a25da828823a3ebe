import { Failure } from '../../../kit/index.ts'
import { findResult, type ResultDetail } from '../../../testing/index.ts'
import type { Call } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'
import { readHexId } from '../test-runs/hex-id.ts'

/** @throws Failure INVALID_TEST_RESULT_ID, TEST_RESULT_NOT_FOUND, COLLECTION_DENIED */
export async function requireResult({ app, caller }: Call, sent: string): Promise<ResultDetail> {
  const result = await findResult(app.store, readHexId(sent, 'INVALID_TEST_RESULT_ID'))
  if (result === undefined) throw new Failure('TEST_RESULT_NOT_FOUND', {})
  requireGranted(caller, result.collectionId)
  return result
}
