import { pageLimits } from '../../../contract/index.ts'
import type { Handler } from '../../handler.ts'
import { wireCategories, wireTest } from '../issues/wire-test.ts'

/** Tests by their ids. */
export const fetchSubCategoriesByTestSubTypes: Handler<'fetchSubCategoriesByTestSubTypes'> = async (
  input,
  { app },
) => {
  const { most } = pageLimits.tests
  const entries = await app.catalogue.byIds(input.subCategoryNames)
  const shown = input.fetchOnlyActive ? entries.filter((entry) => !entry.isInactive) : entries
  const skip = Math.max(input.skip, 0)
  const limit = input.limit <= 0 ? most : Math.min(input.limit, most)
  return {
    subCategories: shown.slice(skip, skip + limit).map((entry) => wireTest(entry, false)),
    categories: await wireCategories(app),
  }
}
