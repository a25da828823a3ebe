import type { Handlers } from '../handler.ts'
import { accountHandlers } from './account/index.ts'
import { collectionHandlers } from './collections/index.ts'
import { crawlerHandlers } from './crawler/index.ts'
import { helperHandlers } from './helpers/index.ts'
import { importHandlers } from './imports/index.ts'
import { inventoryHandlers } from './inventory/index.ts'
import { issueHandlers } from './issues/index.ts'
import { testRunHandlers } from './test-runs/index.ts'
import { threatHandlers } from './threat/index.ts'

/** Every handler by operation: one line a group. An operation without a handler answers 501. */
export const handlers: Handlers = {
  ...accountHandlers,
  ...helperHandlers,
  ...inventoryHandlers,
  ...importHandlers,
  ...collectionHandlers,
  ...testRunHandlers,
  ...issueHandlers,
  ...threatHandlers,
  ...crawlerHandlers,
}
