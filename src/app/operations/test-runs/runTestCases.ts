import type { Handler } from '../../handler.ts'

/** Runs the cases of a test without saving either. */
export const runTestCases: Handler<'runTestCases'> = async ({ content, cases }, { app }) => ({
  testCases: await app.testRuns.tryCases({ content, cases }),
})
