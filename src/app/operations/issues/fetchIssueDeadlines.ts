import { readDeadlines } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { wireDeadlines } from './wire-deadlines.ts'

/** Within how many days issues are to be fixed. */
export const fetchIssueDeadlines: Handler<'fetchIssueDeadlines'> = async (_input, { app }) =>
  wireDeadlines(await readDeadlines(app.store))
