import { askReboot } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'

/** Asks modules to start again. */
export const rebootModules: Handler<'rebootModules'> = async ({ moduleIds }, { app }) => {
  await askReboot(app.store, moduleIds)
}
