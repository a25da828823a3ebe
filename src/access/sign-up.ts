import type { Transaction } from 'kysely'
import type { Role } from '../contract/index.ts'
import { Failure, nowSeconds } from '../kit/index.ts'
import type { Schema } from '../store/index.ts'
import type { Access } from './access.ts'
import { redeemInvitation } from './invitations.ts'
import { checkPassword, hashPassword } from './password.ts'
import { checkSetupCode } from './setup-code.ts'
import { systemUserId } from './system-user.ts'
import { inTurn, newId } from './turn.ts'
import { needsFirstUser, readLogin, type User, userOf } from './users.ts'

/** What a person fills in to get an account. */
export interface SignUp {
  email: string
  password: string
  /** Empty for the first user. */
  invitationCode: string
  /** For the first user of a server that other machines reach; empty for all others. */
  setupCode: string
  /** Address of the person, for the limit of attempts. */
  ip: string
}

/**
 * Makes an account. The first person of an installation becomes ADMIN without an invitation, but with the set-up code
 * where other machines reach the server; of two who try at the same moment one wins. Everyone else needs an invitation for that address and gets its role.
 *
 * @throws Failure INVALID_EMAIL, WEAK_PASSWORD, SETUP_CODE_REQUIRED, WRONG_SETUP_CODE, INVITATION_REQUIRED,
 * INVALID_INVITATION, USER_EXISTS, TOO_MANY_REQUESTS
 */
export async function signUp(access: Access, input: SignUp): Promise<User> {
  const login = readLogin(input.email)
  await checkPassword(input.password, login)
  const wasNoFailure = await access.limits.take({
    account: `sign-up of ${login}`,
    address: input.ip,
    device: null,
  })
  // Before the costly hash; decided again, in turn, below.
  if (await needsFirstUser(access)) checkSetupCode(access, input.setupCode)
  else if (input.invitationCode === '') throw new Failure('INVITATION_REQUIRED')
  const passwordHash = await hashPassword(input.password)
  const { user, isFirst } = await inTurn(access.store.db, async (trx) => {
    const first = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '<>', systemUserId)
      .limit(1)
      .executeTakeFirst()
    const isFirst = first === undefined
    if (isFirst) checkSetupCode(access, input.setupCode)
    const role = isFirst ? 'ADMIN' : await roleByInvitation(trx, login, input.invitationCode)
    return { user: await insertUser(trx, login, passwordHash, role), isFirst }
  })
  await wasNoFailure()
  access.log.info('user.created', { userId: user.id, role: user.role, isFirst })
  return user
}

/**
 * Makes an account on the word of the person who runs the machine (command line): no invitation needed.
 *
 * @throws Failure INVALID_EMAIL, WEAK_PASSWORD, USER_EXISTS
 */
export async function createUser(access: Access, email: string, password: string, role: Role): Promise<User> {
  const login = readLogin(email)
  await checkPassword(password, login)
  const passwordHash = await hashPassword(password)
  const user = await inTurn(access.store.db, (trx) => insertUser(trx, login, passwordHash, role))
  access.log.info('user.created', { userId: user.id, role: user.role, isFirst: false })
  return user
}

async function roleByInvitation(trx: Transaction<Schema>, login: string, code: string): Promise<Role> {
  if (code === '') throw new Failure('INVITATION_REQUIRED')
  return redeemInvitation(trx, login, code)
}

async function insertUser(
  trx: Transaction<Schema>,
  login: string,
  passwordHash: string,
  role: Role,
): Promise<User> {
  const row = await trx
    .insertInto('users')
    .values({
      id: await newId(trx, 'users'),
      login,
      name: login.slice(0, login.indexOf('@')),
      password_hash: passwordHash,
      role,
      collection_ids: null,
      created_at: nowSeconds(),
    })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Failure('USER_EXISTS')
  return userOf(row)
}
