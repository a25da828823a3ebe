import type { Handlers } from '../handler.ts'
import * as accountHandlers from './account/index.ts'
import * as collectionHandlers from './collections/index.ts'
import * as crawlerHandlers from './crawler/index.ts'
import * as helperHandlers from './helpers/index.ts'
import * as importHandlers from './imports/index.ts'
import * as inventoryHandlers from './inventory/index.ts'
import * as issueHandlers from './issues/index.ts'
import * as testRunHandlers from './test-runs/index.ts'
import * as threatHandlers from './threat/index.ts'

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
