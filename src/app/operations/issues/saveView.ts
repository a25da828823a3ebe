import { MOST_VIEWS, saveView as save } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Saves filters of the list of issues under a name. */
export const saveView: Handler<'saveView'> = async (input, { app, caller }) => {
  const viewId = await save(app.store, {
    name: input.viewName.trim(),
    query: input.query.replace(/^\?/, ''),
    createdBy: caller.login,
  })
  if (viewId === null) throw new Failure('TOO_MANY_VIEWS', { most: MOST_VIEWS })
  return { viewId }
}
