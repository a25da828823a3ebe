import type { FastifyRequest } from 'fastify'
import { type App, type Caller, callerOfAccessToken, callerOfKey } from '../app/index.ts'
import { accessTokenHeader, apiKeyHeader, type Operation, type Role, roles } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'

/** Who calls, and a fresh access token when the one sent is half used up. */
interface Identity {
  caller: Caller
  renewedToken: string | null
}

/**
 * The one gate: who is behind the key or the session of a request. A key, even an empty one, wins over a session.
 *
 * @throws Failure INVALID_KEY, SESSION_EXPIRED
 */
export async function identify(app: App, request: FastifyRequest): Promise<Identity> {
  const key = request.headers[apiKeyHeader]
  if (key !== undefined) {
    const caller = typeof key === 'string' ? await callerOfKey(app.access, key) : null
    if (!caller) throw new Failure('INVALID_KEY')
    return { caller, renewedToken: null }
  }
  const token = request.headers[accessTokenHeader]
  if (typeof token !== 'string') throw new Failure('INVALID_KEY')
  const identity = await callerOfAccessToken(app.access, token)
  if (!identity) throw new Failure('SESSION_EXPIRED')
  return identity
}

/**
 * Whether this caller may call this operation: kind of key, then role.
 *
 * @throws Failure KEY_NOT_ALLOWED, ROLE_DENIED
 */
export function authorise(operation: Operation, caller: Caller): void {
  const { via, role } = caller
  if (via !== 'SESSION') {
    const isOpen = !operation.sessionOnly && (via === 'EXTERNAL_API' || operation.keyKinds?.includes(via))
    if (!isOpen) throw new Failure('KEY_NOT_ALLOWED')
  }
  if (rank(role) < rank(operation.role)) throw new Failure('ROLE_DENIED', { role })
}

/**
 * For figures of the whole installation that are not an operation: as {@link identifyReader}, people with all collections.
 *
 * @throws Failure INVALID_KEY, SESSION_EXPIRED, KEY_NOT_ALLOWED, COLLECTIONS_RESTRICTED
 */
export async function identifyUnrestricted(app: App, request: FastifyRequest): Promise<Caller> {
  const caller = await identifyReader(app, request)
  if (caller.collectionIds !== null) throw new Failure('COLLECTIONS_RESTRICTED')
  return caller
}

/**
 * For documents that are not an operation: any session, and keys that open everything.
 *
 * @throws Failure INVALID_KEY, SESSION_EXPIRED, KEY_NOT_ALLOWED
 */
export async function identifyReader(app: App, request: FastifyRequest): Promise<Caller> {
  const { caller } = await identify(app, request)
  if (caller.via !== 'SESSION' && caller.via !== 'EXTERNAL_API') throw new Failure('KEY_NOT_ALLOWED')
  return caller
}

function rank(role: Role): number {
  return roles.indexOf(role)
}
