import type { Role } from '../contract/index.ts'
import { Failure, nowSeconds } from '../kit/index.ts'
import type { Queryable } from '../store/index.ts'
import type { Access } from './access.ts'
import { redeemInvitation } from './invitations.ts'
import { checkPassword, hashPassword } from './password.ts'
import { checkSetupCode } from './setup-code.ts'
import { inTurn, newId } from './turn.ts'
import { needsFirstUser, readLogin, type User, type UserRow, userColumns, userOf } from './users.ts'

/** What a person fills in to get an account. */
interface SignUp {
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
  if (await needsFirstUser(access.store.pool)) checkSetupCode(access, input.setupCode)
  else if (input.invitationCode === '') throw new Failure('INVITATION_REQUIRED')
  const passwordHash = await hashPassword(input.password)
  const { user, isFirst } = await inTurn(access.store, async (client) => {
    const isFirst = await needsFirstUser(client)
    if (isFirst) checkSetupCode(access, input.setupCode)
    const role = isFirst ? 'ADMIN' : await roleByInvitation(client, login, input.invitationCode)
    return { user: await insertUser(client, login, passwordHash, role), isFirst }
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
  const user = await inTurn(access.store, (client) => insertUser(client, login, passwordHash, role))
  access.log.info('user.created', { userId: user.id, role: user.role, isFirst: false })
  return user
}

async function roleByInvitation(client: Queryable, login: string, code: string): Promise<Role> {
  if (code === '') throw new Failure('INVITATION_REQUIRED')
  return redeemInvitation(client, login, code)
}

async function insertUser(client: Queryable, login: string, passwordHash: string, role: Role): Promise<User> {
  const { rows } = await client.query<UserRow>(
    `INSERT INTO users (id, login, name, password_hash, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (login) DO NOTHING RETURNING ${userColumns}`,
    [
      await newId(client, 'users'),
      login,
      login.slice(0, login.indexOf('@')),
      passwordHash,
      role,
      nowSeconds(),
    ],
  )
  if (!rows[0]) throw new Failure('USER_EXISTS')
  return userOf(rows[0])
}
