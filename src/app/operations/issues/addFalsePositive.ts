import { addRule } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'
import { readIssueId } from './wire-issue.ts'

/** Ignores findings of a test from now on, because they are false. */
export const addFalsePositive: Handler<'addFalsePositive'> = async (input, { app, caller }) => {
  const { testId, collectionId, method, url } = readIssueId(input.issueId)
  await requireCollection(app.store, caller, collectionId)
  if (input.scope === 'EVERYWHERE' && caller.collectionIds !== null)
    throw new Failure('COLLECTIONS_RESTRICTED', {})
  const place = { testId, collectionId, method, url, scope: input.scope }
  return { ruleId: await addRule(app.store, place, input.reason.trim(), caller.login) }
}
