import { type AppContext, openAppContext } from '../app/app-context.ts'
import type { Settings } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'

/**
 * Opens store and access for one command, and closes them whatever happens.
 *
 * @throws Failure as `openAppContext`; DATA_FOLDER_IN_USE while a server runs on the embedded store
 */
export async function withAppContext<T>(
  settings: Settings,
  work: (context: AppContext) => Promise<T>,
): Promise<T> {
  const log = createLog('warn')
  const context = await openAppContext(settings, log, (error) => {
    throw error
  })
  try {
    return await work(context)
  } finally {
    await context.store.close()
    log.flush()
  }
}
