import { deleteSuite, listSuites } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { wireSuite } from './wire-suite.ts'

/** Deletes a suite; the answer holds those that are left. */
export const deleteTestSuite: Handler<'deleteTestSuite'> = async (input, { app }) => {
  await deleteSuite(app.store, readHexId(input.testSuiteHexId, 'TEST_SUITE_NOT_FOUND'))
  return { testSuiteList: (await listSuites(app.store)).map(wireSuite) }
}
