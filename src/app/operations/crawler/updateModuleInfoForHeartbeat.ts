import { keepCrawlerModule } from '../../../crawler/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { noteModuleOwner, requireOwnModule } from '../../module-owner.ts'

/** Keeps the heartbeat of an outside module; the time is that of this server. */
export const updateModuleInfoForHeartbeat: Handler<'updateModuleInfoForHeartbeat'> = async (
  { moduleInfo },
  call,
) => {
  const { app, caller } = call
  await requireOwnModule(call, { ...moduleInfo, kind: moduleInfo.moduleType })
  const now = nowSeconds()
  const { isRebootAsked } = await keepCrawlerModule(
    app.store,
    {
      id: moduleInfo.id,
      kind: moduleInfo.moduleType,
      name: moduleInfo.name,
      version: moduleInfo.currentVersion ?? null,
      startedAt: moduleInfo.startedTs,
    },
    now,
  )
  await noteModuleOwner(app.store, moduleInfo.id, caller)
  return {
    moduleInfo: {
      id: moduleInfo.id,
      moduleType: moduleInfo.moduleType,
      name: moduleInfo.name,
      currentVersion: moduleInfo.currentVersion ?? null,
      startedTs: moduleInfo.startedTs,
      lastHeartbeatReceived: now,
      reboot: isRebootAsked,
      deleteTopicAndReboot: false,
      miniRuntimeName: null,
    },
  }
}
