import { deleteModules } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'

/** Forgets modules. */
export const deleteModuleInfo: Handler<'deleteModuleInfo'> = async ({ moduleIds }, { app }) => {
  await deleteModules(app.store, moduleIds)
}
