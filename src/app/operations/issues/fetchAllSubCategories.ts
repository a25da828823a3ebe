import { pageLimits } from '../../../contract/index.ts'
import type { Handler } from '../../handler.ts'
import { wireCategories, wireTest } from './wire-test.ts'

/** One page of the tests, with all categories. */
export const fetchAllSubCategories: Handler<'fetchAllSubCategories'> = async (input, { app }) => {
  const limit = Math.min(Math.max(input.limit, 0), pageLimits.tests.most)
  const entries =
    limit === 0
      ? []
      : await app.catalogue.page({
          activeOnly: input.fetchOnlyActive,
          skip: Math.max(input.skip, 0),
          limit,
        })
  const hasContent = input.mode !== 'runTests'
  return {
    subCategories: entries.map((entry) => wireTest(entry, hasContent)),
    categories: await wireCategories(app),
    testSourceConfigs: [],
  }
}
