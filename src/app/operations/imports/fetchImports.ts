import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'
import { listImports } from './import-view.ts'

/** Lists imports, newest first. */
export const fetchImports: Handler<'fetchImports'> = async (input, { app, caller }) => {
  if (input.apiCollectionId !== null) requireGranted(caller, input.apiCollectionId)
  return listImports(app.store, caller, input.apiCollectionId, input.skip, input.limit)
}
