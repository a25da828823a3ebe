import { countTestStates as countStates, TESTED_SECONDS } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Numbers of endpoints by whether they were tested, and why not. */
export const countTestStates: Handler<'countTestStates'> = async (_input, { app, caller }) => {
  const states = await countStates(app, caller.collectionIds, nowSeconds() - TESTED_SECONDS)
  return { testStates: states.map(({ state, count }) => ({ state, endpoints: count })) }
}
