import type { User } from '../../access/index.ts'
import { reportError } from '../../kit/index.ts'
import type { App } from '../handler.ts'
import { auditOk, noteAudit, outcomeOf } from './audit-log.ts'
import type { SignInAction } from './audited-operations.ts'

/** A way to prove who one is. */
interface SignInAttempt {
  readonly action: SignInAction
  readonly via: 'PASSWORD' | 'OIDC'
  /** What was typed; null where nobody types a name. */
  readonly login: string | null
  readonly ip: string
}

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}$/

/**
 * Runs a sign-in or sign-up and notes its end in the audit log. Attempts that wait for their turn are not noted, so that
 * guessing cannot fill the log; what is not an address may be a password in the wrong field, and is not stored.
 */
export async function notedSignIn<Result extends { readonly user: Pick<User, 'id' | 'login'> }>(
  { store, log }: Pick<App, 'store' | 'log'>,
  attempt: SignInAttempt,
  run: () => Promise<Result>,
): Promise<Result> {
  const { action, via, ip } = attempt
  const note = (userId: number, login: string, outcome: string): Promise<void> =>
    noteAudit(store, { userId, login, via, keyId: null, ip }, action, outcome).catch((error: unknown) =>
      log.warn('part.failed', { part: 'audit log', error: reportError(error) }),
    )
  try {
    const result = await run()
    await note(result.user.id, result.user.login, auditOk)
    return result
  } catch (error) {
    const outcome = outcomeOf(error)
    const login = attempt.login?.trim().toLowerCase() ?? ''
    if (outcome !== 'TOO_MANY_REQUESTS') await note(0, ADDRESS.test(login) ? login : 'unknown', outcome)
    throw error
  }
}
