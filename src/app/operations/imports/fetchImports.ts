import type { Handler } from '../../handler.ts'
import { listImports } from './import-view.ts'

/** Lists imports, newest first. */
export const fetchImports: Handler<'fetchImports'> = (input, { app, caller }) =>
  listImports(app.store, caller, input.apiCollectionId, input.skip, input.limit)
