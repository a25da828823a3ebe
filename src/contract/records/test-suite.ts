import type { Static } from 'typebox'
import { epochSeconds, hexId, list, model, text } from '../schema.ts'

export const testSuite = model('TestSuite', 'A named list of tests.', {
  hexId: hexId({ description: 'Identifier, as testSuiteIds takes it.' }),
  name: text(),
  subCategoryList: list(text(), { description: 'Ids of the tests.' }),
  createdBy: text(),
  createdAt: epochSeconds(),
  lastUpdated: epochSeconds(),
})

export type TestSuite = Static<typeof testSuite>
