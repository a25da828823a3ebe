import { changeSuite } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { wireSuite } from './wire-suite.ts'

/** Replaces name and tests of a suite. */
export const modifyTestSuite: Handler<'modifyTestSuite'> = async (input, { app }) => {
  const id = readHexId(input.testSuiteHexId, 'TEST_SUITE_NOT_FOUND')
  const suite = { name: input.testSuiteName, testIds: input.subCategoryList }
  return { testSuiteList: [wireSuite(await changeSuite(app.store, id, suite))] }
}
