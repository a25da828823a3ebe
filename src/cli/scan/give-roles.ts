import type { Client } from '../../contract/index.ts'
import type { ScanRole } from './roles-file.ts'

/** Name of the role that tests of administrators' functions use for an ordinary account. */
const ORDINARY = 'MEMBER'
/** The role that tests attack as. */
const SYSTEM_ROLE = 'ATTACKER_TOKEN_ALL'

/** A sentence of a run, with the attacker called as in the file of roles. */
export function namedAsGiven(sentence: string): string {
  return sentence.replaceAll(SYSTEM_ROLE, 'ATTACKER')
}

/**
 * Hands the roles to the server: ATTACKER as the one that tests attack with, the others by their names. Without a MEMBER
 * the attacker, who is an ordinary account, stands for it.
 *
 * @returns name of the role under test, or '' when the recorded callers are
 */
export async function giveRoles(client: Client, roles: readonly ScanRole[]): Promise<string> {
  const attacker = roles.find(({ name }) => name === 'ATTACKER')
  if (attacker !== undefined) await giveCredential(client, SYSTEM_ROLE, attacker)
  const named = roles.filter(({ name }) => name !== 'ATTACKER')
  if (attacker !== undefined && !named.some(({ name }) => name === ORDINARY))
    named.push({ ...attacker, name: ORDINARY })
  if (named.length === 0) return ''
  const { testRoles } = await client.op.fetchTestRoles({})
  const known = new Set((testRoles ?? []).map(({ name }) => name))
  for (const role of named) {
    if (!known.has(role.name)) await client.op.addTestRoles({ roleName: role.name })
    await giveCredential(client, role.name, role)
  }
  return named.some(({ name }) => name === 'USER') ? 'USER' : ''
}

async function giveCredential(client: Client, roleName: string, role: ScanRole): Promise<void> {
  await client.op.addAuthToRole({
    roleName,
    apiCond: {},
    authParamData: headersOf(role),
    authAutomationType: typeOf(role),
    reqData: stepsOf(role),
    ...recordingOf(role),
  })
}

function typeOf({ login, recording }: ScanRole): string {
  return login === null && !recording ? 'HARDCODED' : 'LOGIN_REQUEST'
}

function headersOf({
  headers,
  recording,
}: ScanRole): { where: string; key: string; value: string; showHeader: boolean }[] {
  // The answer of a recording has the name of the first step.
  const named = (value: string): string => (recording ? value.replaceAll('${login.', '${x1.') : value)
  return Object.entries(headers).map(([key, value]) => ({
    ...{ where: 'HEADER', key, value: named(value), showHeader: false },
  }))
}

/** The answer of the last request is named `login`, so that headers take `${login.response.body.token}`. */
function stepsOf({ login, recording }: ScanRole): Record<string, unknown>[] {
  if (recording) return [{ type: 'RECORDED_FLOW' }]
  if (login === null) return []
  return login.map(({ headers, ...request }) => ({
    ...request,
    headers: JSON.stringify(headers),
    queryParams: '',
  }))
}

function recordingOf({ recording }: ScanRole) {
  if (!recording) return {}
  const results = { outputFilePath: null, errorFilePath: null, tokenResult: null }
  const { content, token: tokenFetchCommand } = recording
  return { recordedLoginFlowInput: { content, tokenFetchCommand, ...results } }
}
