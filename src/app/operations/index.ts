import type { Handlers } from '../handler.ts'
import { accountHandlers } from './account/index.ts'
import { helperHandlers } from './helpers/index.ts'

/** Every handler by operation: one line a group. An operation without a handler answers 501. */
export const handlers: Handlers = {
  ...accountHandlers,
  ...helperHandlers,
}
