import { type Ground, openGround } from '../app/index.ts'
import { createLog, type Settings } from '../kit/index.ts'

/**
 * Opens store and access for one command, and closes them whatever happens.
 *
 * @throws Failure as `openGround`; DATA_FOLDER_IN_USE while a server runs on the embedded store
 */
export async function withGround<T>(settings: Settings, work: (ground: Ground) => Promise<T>): Promise<T> {
  const log = createLog('warn')
  const ground = await openGround(settings, log, (error) => {
    throw error
  })
  try {
    return await work(ground)
  } finally {
    await ground.store.close()
    log.flush()
  }
}
