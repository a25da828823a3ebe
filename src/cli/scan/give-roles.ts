import type { Client } from '../../contract/index.ts'
import type { RoleLogin, ScanRole } from './roles-file.ts'

/** Name of the role that tests of administrators' functions use for an ordinary account. */
const ORDINARY = 'MEMBER'

/**
 * Hands the roles to the server: ATTACKER as the one that tests attack with, the others by their names. Without a MEMBER
 * the attacker, who is an ordinary account, stands for it.
 *
 * @returns name of the role under test, or '' when the recorded callers are
 */
export async function giveRoles(client: Client, roles: readonly ScanRole[]): Promise<string> {
  const attacker = roles.find(({ name }) => name === 'ATTACKER')
  if (attacker !== undefined) {
    await client.op.addAuthMechanism({
      type: typeOf(attacker),
      requestData: stepsOf(attacker.login),
      authParamData: headersOf(attacker),
    })
  }
  const named = roles.filter(({ name }) => name !== 'ATTACKER')
  if (attacker !== undefined && !named.some(({ name }) => name === ORDINARY))
    named.push({ ...attacker, name: ORDINARY })
  if (named.length === 0) return ''
  const { testRoles } = await client.op.fetchTestRoles({})
  const known = new Set((testRoles ?? []).map(({ name }) => name))
  for (const role of named) {
    if (!known.has(role.name)) await client.op.addTestRoles({ roleName: role.name })
    await client.op.addAuthToRole({
      roleName: role.name,
      apiCond: {},
      authParamData: headersOf(role),
      authAutomationType: typeOf(role),
      reqData: stepsOf(role.login),
    })
  }
  return named.some(({ name }) => name === 'USER') ? 'USER' : ''
}

function typeOf({ login }: ScanRole): string {
  return login === null ? 'HARDCODED' : 'LOGIN_REQUEST'
}

function headersOf({
  headers,
}: ScanRole): { where: string; key: string; value: string; showHeader: boolean }[] {
  return Object.entries(headers).map(([key, value]) => ({ where: 'HEADER', key, value, showHeader: false }))
}

/** The answer of the request is named `login`, so that headers take `${login.response.body.token}`. */
function stepsOf(login: RoleLogin | null): Record<string, unknown>[] {
  if (login === null) return []
  const { method, url, headers, body } = login
  return [{ name: 'login', method, url, headers: JSON.stringify(headers), body, queryParams: '' }]
}
