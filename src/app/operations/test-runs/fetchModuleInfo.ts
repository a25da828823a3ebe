import { listModules } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'

/** The processes that work beside this one. */
export const fetchModuleInfo: Handler<'fetchModuleInfo'> = async ({ moduleType, filter }, { app }) => {
  const modules = await listModules(app.store, {
    kind: moduleType || filter?.moduleType || null,
    id: filter?.id || null,
    seenSince: filter?.lastHeartbeatReceived?.$gte ?? null,
  })
  return {
    moduleInfos: modules.map((module) => ({
      id: module.id,
      moduleType: module.kind,
      name: module.name,
      currentVersion: module.version,
      startedTs: module.startedAt,
      lastHeartbeatReceived: module.seenAt,
    })),
    allowedEnvFields: [],
  }
}
