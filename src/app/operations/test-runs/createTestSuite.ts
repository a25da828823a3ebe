import { createSuite } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { wireSuite } from './wire-suite.ts'

/** Makes a test suite. */
export const createTestSuite: Handler<'createTestSuite'> = async (input, { app, caller }) => {
  const suite = { name: input.testSuiteName, testIds: input.subCategoryList, login: caller.login }
  return { testSuiteList: [wireSuite(await createSuite(app.store, suite))] }
}
