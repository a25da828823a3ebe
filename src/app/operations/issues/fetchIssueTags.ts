import { listTags } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'

/** Tags that issues have. */
export const fetchIssueTags: Handler<'fetchIssueTags'> = async (_input, { app, caller }) => ({
  tags: await listTags(app.store, caller.collectionIds),
})
