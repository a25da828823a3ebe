import {
  type AccountAction,
  type AnswerTo,
  type AskedOf,
  accountActions,
} from '../app/local-control/account-actions.ts'
import { callLocalControl } from '../app/local-control/call-local-control.ts'
import type { Settings } from '../kit/index.ts'
import { folderHolder } from '../store/owner.ts'
import { withAppContext } from './with-app-context.ts'

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
  if (settings.databaseUrl === null && folderHolder(settings.dataDir) !== null) {
    const answer = await callLocalControl(settings.dataDir, name, asked)
    if (answer !== null) return answer
  }
  return withAppContext(settings, ({ access }) => {
    const act = accountActions[name] as (access: unknown, asked: AskedOf<Name>) => Promise<AnswerTo<Name>>
    return act(access, asked)
  })
}
