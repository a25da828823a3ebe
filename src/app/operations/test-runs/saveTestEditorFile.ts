import type { Handler } from '../../handler.ts'

/** Saves a test that was written in the dashboard. */
export const saveTestEditorFile: Handler<'saveTestEditorFile'> = async (input, { app, caller }) => {
  const { id, problems } = await app.testRuns.save({
    content: input.content,
    replaces: input.originalTestId ?? null,
    author: caller.login,
    cases: input.cases ?? null,
  })
  return { finalTestId: id, templateProblems: problems }
}
