import type { Handler } from '../../handler.ts'
import { wireProblem } from '../../test-runs/sent-template.ts'

/** Problems that one answer lists. */
const MAX_PROBLEMS = 1000

/** What was read from the folders of tests. */
export const fetchTemplateProblems: Handler<'fetchTemplateProblems'> = async (_input, { app }) => {
  await app.templates.read()
  const { report } = app.templates
  const worstFirst = report.problems.toSorted(
    (a, b) => Number(a.problem.severity === 'warning') - Number(b.problem.severity === 'warning'),
  )
  return {
    folders: [...app.settings.templateDirs],
    files: report.files,
    tests: report.tests,
    ignored: report.ignored,
    problemsCount: report.problems.length,
    templateProblems: worstFirst
      .slice(0, MAX_PROBLEMS)
      .map(({ problem, file }) => wireProblem(problem, file)),
    readTs: report.readAt,
  }
}
