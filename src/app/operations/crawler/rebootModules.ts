import { askReboot } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireModuleRights } from '../../module-owner.ts'

/** Asks modules to start again. */
export const rebootModules: Handler<'rebootModules'> = async ({ moduleIds }, call) => {
  await requireModuleRights(call, moduleIds)
  await askReboot(call.app.store, moduleIds)
}
