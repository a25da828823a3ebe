import { listSuites } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { wireSuite } from './wire-suite.ts'

/** All test suites by name. */
export const fetchAllTestSuites: Handler<'fetchAllTestSuites'> = async (_input, { app }) => ({
  testSuiteList: (await listSuites(app.store)).map(wireSuite),
})
