import { listRules } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'

/** Rules for false positives. */
export const fetchFalsePositives: Handler<'fetchFalsePositives'> = async (_input, { app, caller }) => {
  const rules = await listRules(app.store, caller.collectionIds)
  return {
    rules: rules.map(({ id, testId, collectionId, issues, ...rule }) => ({
      ruleId: id,
      testSubCategory: testId,
      apiCollectionId: collectionId,
      issuesCount: issues,
      ...rule,
    })),
  }
}
