import { nowSeconds } from '../../../kit/index.ts'
import { keepModule } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { noteModuleOwner, requireOwnModule } from '../../module-owner.ts'

/** Keeps the heartbeat of a process beside this one; the time is that of this server. */
export const updateModuleInfo: Handler<'updateModuleInfo'> = async ({ moduleInfo }, call) => {
  const { app, caller } = call
  await requireOwnModule(call, { ...moduleInfo, kind: moduleInfo.moduleType })
  const seenAt = nowSeconds()
  await keepModule(app.store, {
    id: moduleInfo.id,
    kind: moduleInfo.moduleType,
    name: moduleInfo.name,
    version: moduleInfo.currentVersion ?? null,
    startedAt: moduleInfo.startedTs,
    seenAt,
  })
  await noteModuleOwner(app.store, moduleInfo.id, caller)
  return { moduleInfo: { ...moduleInfo, lastHeartbeatReceived: seenAt } }
}
