import { openByTest } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** Numbers of open issues by test. */
export const getIssueSummaryInfo: Handler<'getIssueSummaryInfo'> = async (input, { app, caller }) => {
  const asked = input.issueSummaryFilterCollectionIds ?? []
  for (const id of asked) requireGranted(caller, id)
  const collectionIds = asked.length === 0 ? caller.collectionIds : asked
  return Object.fromEntries(
    await openByTest(app.store, collectionIds, input.startTimestamp, input.endTimestamp),
  )
}
