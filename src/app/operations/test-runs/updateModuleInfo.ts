import { nowSeconds } from '../../../kit/index.ts'
import { keepModule } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'

/** Keeps the heartbeat of a process beside this one; the time is that of this server. */
export const updateModuleInfo: Handler<'updateModuleInfo'> = async ({ moduleInfo }, { app }) => {
  const seenAt = nowSeconds()
  await keepModule(app.store, {
    id: moduleInfo.id,
    kind: moduleInfo.moduleType,
    name: moduleInfo.name,
    version: moduleInfo.currentVersion ?? null,
    startedAt: moduleInfo.startedTs,
    seenAt,
  })
  return { moduleInfo: { ...moduleInfo, lastHeartbeatReceived: seenAt } }
}
