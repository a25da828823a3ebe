import { type Deadlines, setDeadlines } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { wireDeadlines } from './wire-deadlines.ts'

/** Sets within how many days issues are to be fixed. */
export const updateIssueDeadlines: Handler<'updateIssueDeadlines'> = async (input, { app }) => {
  const set = Object.entries(input.deadlines).filter(([, days]) => days !== null)
  const deadlines = Object.fromEntries(set) as Deadlines
  await setDeadlines(app.store, deadlines)
  return wireDeadlines(deadlines)
}
