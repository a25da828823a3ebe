import { deleteView } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Deletes a saved view of the caller; administrators delete those of others, too. */
export const deleteSavedView: Handler<'deleteSavedView'> = async (input, { app, caller }) => {
  const mayAll = caller.role === 'ADMIN' && caller.collectionIds === null
  if (!(await deleteView(app.store, input.viewId, mayAll ? null : caller.login)))
    throw new Failure('VIEW_NOT_FOUND', {})
  return { viewId: input.viewId }
}
