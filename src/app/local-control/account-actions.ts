import {
  type Access,
  createKey,
  createUser,
  findUser,
  type KeyRecord,
  listKeys,
  type NewKey,
  removeKey,
  removeSecondFactor,
  setPassword,
  systemUserId,
} from '../../access/index.ts'
import type { KeyKind, Role } from '../../contract/index.ts'
import { Failure } from '../../kit/index.ts'

/** What commands of the machine's owner ask for; with the rights of the system. Answers are plain data. */
export const accountActions = {
  createKey: (
    access: Access,
    asked: { kind: KeyKind; name: string; lifeDays: number | null },
  ): Promise<NewKey> => createKey(access, systemUserId, asked.kind, asked.name, asked.lifeDays),

  listKeys: (access: Access): Promise<KeyRecord[]> => listKeys(access, null),

  /** @throws Failure NO_SUCH_KEY */
  removeKey: async (access: Access, { id }: { id: number }): Promise<{ revoked: number }> => {
    await removeKey(access, id, { userId: systemUserId, role: 'ADMIN' })
    return { revoked: id }
  },

  createUser: async (
    access: Access,
    { email, password, role }: { email: string; password: string; role: Role },
  ): Promise<{ login: string }> => {
    const { login } = await createUser(access, email, password, role)
    return { login }
  },

  /** @throws Failure NO_SUCH_USER */
  resetPassword: async (
    access: Access,
    { email, password, revokesKeys }: { email: string; password: string; revokesKeys: boolean },
  ): Promise<{ revokedKeys: number }> => {
    const found = await findUser(access, email)
    if (!found) throw new Failure('NO_SUCH_USER')
    const kept = { keptSessionId: null, revokesKeys }
    return { revokedKeys: await setPassword(access, found.id, password, kept) }
  },

  /** @throws Failure NO_SUCH_USER, SECOND_FACTOR_OFF */
  resetSecondFactor: async (access: Access, { email }: { email: string }): Promise<{ login: string }> => {
    const found = await findUser(access, email)
    if (!found) throw new Failure('NO_SUCH_USER')
    if (!(await removeSecondFactor(access, found.id))) throw new Failure('SECOND_FACTOR_OFF')
    return { login: found.login }
  },
} as const

/** Name of an action. */
export type AccountAction = keyof typeof accountActions
/** What an action is asked with. */
export type AskedOf<Name extends AccountAction> = Parameters<(typeof accountActions)[Name]>[1]
/** What an action answers. */
export type AnswerTo<Name extends AccountAction> = Awaited<ReturnType<(typeof accountActions)[Name]>>
