import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, type Settings } from '../kit/index.ts'

/** Whether there is a store to open; opening the embedded one creates it. */
export function hasStore({ databaseUrl, dataDir }: Settings): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'database'))
}

/** @throws Failure BAD_COMMAND where a command would create the store that it is to read or change */
export function requireStore(settings: Settings): void {
  if (!hasStore(settings))
    throw new Failure('BAD_COMMAND', {
      reason: `${settings.dataDir} holds no store: name the data folder of your server with --data-dir`,
    })
}
