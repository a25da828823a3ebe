import { deleteModules } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireModuleRights } from '../../module-owner.ts'

/** Forgets modules. */
export const deleteModuleInfo: Handler<'deleteModuleInfo'> = async ({ moduleIds }, call) => {
  await requireModuleRights(call, moduleIds)
  await deleteModules(call.app.store, moduleIds)
}
