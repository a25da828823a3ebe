import { crawlerModuleSilence } from '../../../contract/index.ts'
import { availableModules } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'

/** Outside crawler modules that were heard lately. */
export const fetchAvailableDastModules: Handler<'fetchAvailableDastModules'> = async (_input, { app }) => {
  const modules = await availableModules(app.store, crawlerModuleSilence)
  return {
    availableModules: modules.map(({ name, seenAt }) => ({
      name,
      displayName: name,
      lastHeartbeat: seenAt,
      isDefault: false,
    })),
    actionErrors: [],
  }
}
