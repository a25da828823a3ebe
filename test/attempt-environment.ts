import { Variables } from '../src/rules/index.ts'
import type { AttemptEnvironment, OwnName, ParentMix } from '../src/testing/attempts/index.ts'
import type { CredentialParameter } from '../src/testing/index.ts'
import { createSigningKeys, OWN_FILES } from '../src/testing/index.ts'

const ROLES: ReadonlyMap<string, readonly CredentialParameter[]> = new Map([
  ['ATTACKER_TOKEN_ALL', [{ where: 'HEADER', key: 'authorization', value: 'Bearer attacker' }]],
  ['MEMBER', [{ where: 'HEADER', key: 'authorization', value: 'Bearer member' }]],
])

const keys = createSigningKeys('https://vigil.test/keys.json')

function named(part: OwnName['in'], name: string, own: string): OwnName {
  return { in: part, name, kind: name, recorded: '', own }
}

/** Items of somebody else below what the attacker owns. */
function mixOf(...parents: OwnName[]): ParentMix {
  return { object: named('path', '4', '13'), parents }
}

/** An installation with an attacker, the role MEMBER, a listener that counts its ids, and a clock that stands still. */
export function attemptEnvironment(
  variables = new Variables(),
  changes: Partial<AttemptEnvironment> = {},
): AttemptEnvironment & { readonly registered: (string | undefined)[] } {
  const registered: (string | undefined)[] = []
  return {
    variables,
    credentials: {
      authHeaderNames: ['authorization'],
      authTypeKeys: { headers: ['session'], bodyKeys: ['access_token'] },
      parametersOf: (role) => ROLES.get(role) ?? null,
      attackerRole: 'ATTACKER_TOKEN_ALL',
    },
    callback: {
      register(redirectUrl) {
        registered.push(redirectUrl)
        return { id: `id${registered.length}`, url: `http://listen.test/c/id${registered.length}` }
      },
      hits: () => 0,
    },
    keys,
    nowSeconds: () => 1_700_000_000,
    files: OWN_FILES,
    ownParents: () => [
      mixOf(named('path', '2', '9')),
      mixOf(named('query', 'project', '9'), named('body', 'owner.team_id', '5')),
    ],
    registered,
    ...changes,
  }
}
