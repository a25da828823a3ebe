import type { TestSuite as WireSuite } from '../../../contract/index.ts'
import type { TestSuite } from '../../../testing/index.ts'

export function wireSuite(suite: TestSuite): WireSuite {
  return {
    hexId: suite.id,
    name: suite.name,
    subCategoryList: suite.testIds,
    createdBy: suite.createdBy,
    createdAt: suite.createdAt,
    lastUpdated: suite.updatedAt,
  }
}
