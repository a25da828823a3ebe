import { isDeepStrictEqual } from 'node:util'
import { userPattern } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { RoleConditionsRow } from '../../../store/index.ts'
import {
  type AuthParameter,
  findRole,
  type LoginFlow,
  mayUseRole,
  type NewCredential,
  type RoleConditions,
  type RoleCredential,
  unmaskCredential,
} from '../../../testing/index.ts'
import type { Call } from '../../handler.ts'
import { wireRole } from './wire-role.ts'

/** The name of a role without blanks around it. @throws Failure TEST_ROLE_NAME_EMPTY */
export function readRoleName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw new Failure('TEST_ROLE_NAME_EMPTY', {})
  return name
}

/** @throws Failure TEST_ROLE_UNKNOWN when the caller may not see the role */
export async function requireRoleSeen({ app, caller }: Call, name: string): Promise<void> {
  const role = await findRole(app.store, app.sealer, name)
  if (role === undefined || !mayUseRole(role, caller)) throw new Failure('TEST_ROLE_UNKNOWN', {})
}

/** The answer about one role. */
export async function selectedRole(
  { app, caller }: Call,
  name: string,
): Promise<{ selectedRole: ReturnType<typeof wireRole> | null }> {
  const role = await findRole(app.store, app.sealer, name)
  return { selectedRole: role ? wireRole(role, caller) : null }
}

/** Conditions with patterns that the engine can read. @throws Failure INVALID_ROLE_PATTERN */
export function readConditions(sent: {
  andConditions: RoleConditionsRow | null
  orConditions: RoleConditionsRow | null
}): RoleConditions {
  for (const conditions of [sent.andConditions, sent.orConditions]) {
    for (const { type, value } of conditions?.predicates ?? []) {
      if (type === 'REGEX') requirePattern(typeof value === 'string' ? value : '', 'INVALID_ROLE_PATTERN')
    }
  }
  return sent
}

function requirePattern(pattern: string, code: string): void {
  try {
    userPattern(pattern)
  } catch (error) {
    throw new Failure(code, {}, { cause: error })
  }
}

/** A credential as clients send it. */
interface SentCredential {
  readonly apiCond: unknown
  readonly authParamData: readonly AuthParameter[]
  readonly authAutomationType: string
  readonly reqData: Record<string, unknown>[] | null
  readonly recordedLoginFlowInput: LoginFlow | null
  readonly urlRegex: string | null
}

/** @throws Failure AUTH_PARAMETER_EMPTY, INVALID_ROLE_URL_PATTERN */
export function readCredential(sent: SentCredential): NewCredential {
  const urlRegex = sent.urlRegex === null || sent.urlRegex.trim() === '' ? null : sent.urlRegex
  if (urlRegex !== null) requirePattern(urlRegex, 'INVALID_ROLE_URL_PATTERN')
  return {
    type: sent.authAutomationType,
    parameters: readParameters(sent.authParamData),
    steps: sent.reqData,
    flow: sent.recordedLoginFlowInput,
    headerPairs: readHeaderPairs(sent.apiCond),
    urlRegex,
  }
}

/**
 * The credential with the stored secrets behind masks that were sent back unchanged, from the entry that it replaces.
 * Callers restricted to some collections keep only secrets that they gave themselves: with another login URL a secret
 * would go wherever they like.
 *
 * @param index place of the entry; null: the one with the same conditions
 * @throws Failure AUTH_VALUE_MASKED
 */
export async function withKeptSecrets(
  { app, caller }: Call,
  name: string,
  sent: NewCredential,
  index: number | null,
): Promise<NewCredential> {
  const role = await findRole(app.store, app.sealer, name)
  const replaced =
    index === null ? role?.credentials.find((entry) => isSame(entry, sent)) : role?.credentials[index]
  if (replaced === undefined) return sent
  const { mechanism } = replaced
  const mayKeep = caller.collectionIds === null || mechanism.author === caller.login
  return unmaskCredential(sent, mayKeep ? mechanism : { parameters: [], steps: null, flow: null })
}

function isSame(entry: RoleCredential, sent: NewCredential): boolean {
  return entry.urlRegex === sent.urlRegex && isDeepStrictEqual(entry.headerPairs, { ...sent.headerPairs })
}

/** @throws Failure AUTH_PARAMETER_EMPTY when key, value or place of one is blank */
export function readParameters(sent: readonly AuthParameter[]): AuthParameter[] {
  if (sent.some(({ key, value, where }) => [key, value, where].some((part) => part.trim() === ''))) {
    throw new Failure('AUTH_PARAMETER_EMPTY', {})
  }
  return [...sent]
}

/** Header to value, sent as such or as a list of `{key, value}`. */
function readHeaderPairs(sent: unknown): Record<string, string> {
  if (!Array.isArray(sent)) return (sent ?? {}) as Record<string, string>
  return Object.fromEntries(
    sent.flatMap(({ key, value }: Record<string, unknown>) =>
      typeof key === 'string' && typeof value === 'string' ? [[key, value]] : [],
    ),
  )
}
