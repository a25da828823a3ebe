import { listViews } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'

/** Saved views of the list of issues; people restricted to some collections see their own. */
export const fetchSavedViews: Handler<'fetchSavedViews'> = async (_input, { app, caller }) => {
  const views = await listViews(app.store, caller.collectionIds === null ? null : caller.login)
  return { savedViews: views.map(({ id, name, ...view }) => ({ viewId: id, viewName: name, ...view })) }
}
