import type { Static } from 'typebox'
import { epochSeconds, hexId, list, model, text } from '../schema.ts'

/** A named list of tests. */
export const testSuite = model('TestSuite', 'A named list of tests.', {
  hexId: hexId({ description: 'Identifier, as testSuiteIds takes it.' }),
  name: text(),
  subCategoryList: list(text(), { description: 'Ids of the tests.' }),
  createdBy: text(),
  createdAt: epochSeconds(),
  lastUpdated: epochSeconds(),
})

/** A test suite on the wire. */
export type TestSuite = Static<typeof testSuite>
