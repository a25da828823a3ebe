import { Failure } from '../../../kit/index.ts'
import { setFilterState as switchFilters } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** Switches filters on or off. */
export const setFilterState: Handler<'setFilterState'> = async (input, { app, caller }) => {
  const templateIds = await switchFilters(app.store.pool, input.templateIds, input.state, caller.login)
  if (templateIds.length === 0) throw new Failure('FILTER_NOT_FOUND', {})
  await app.detection.refresh()
  return { templateIds }
}
