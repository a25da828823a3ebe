import {
  type AccountAction,
  type AnswerTo,
  type AskedOf,
  accountActions,
} from '../app/local-control/account-actions.ts'
import { callLocalControl } from '../app/local-control/call-local-control.ts'
import type { Settings } from '../kit/index.ts'
import { folderHolder } from '../store/owner.ts'
import { hasStore, requireStore } from './require-store.ts'
import { withAppContext } from './with-app-context.ts'

/** Actions that make sense before the first start. */
const FIRST_ACTIONS: ReadonlySet<AccountAction> = new Set(['createKey', 'createUser'])

/**
 * Does something with keys or accounts: through the server that holds the data folder while one runs, else on the store.
 *
 * @throws Failure of the action; as `openAppContext`
 */
export async function accountAction<Name extends AccountAction>(
  settings: Settings,
  name: Name,
  asked: AskedOf<Name>,
): Promise<AnswerTo<Name>> {
  const isHeld = settings.databaseUrl === null && folderHolder(settings.dataDir) !== null
  if (isHeld) {
    const answer = await callLocalControl(settings.dataDir, name, asked)
    if (answer !== null) return answer
  }
  const makesStore = !isHeld && !hasStore(settings)
  if (makesStore && !FIRST_ACTIONS.has(name)) requireStore(settings)
  try {
    return await withAppContext(settings, ({ access }) => {
      const act = accountActions[name] as (access: unknown, asked: AskedOf<Name>) => Promise<AnswerTo<Name>>
      return act(access, asked)
    })
  } finally {
    // The store stays although the action was refused.
    if (makesStore && hasStore(settings))
      process.stderr.write(
        `A new store was created in ${settings.dataDir}; a server on another folder does not use it.\n`,
      )
  }
}
