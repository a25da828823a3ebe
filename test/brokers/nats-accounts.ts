import { createHash, randomBytes } from 'node:crypto'
import { nkeys } from '@nats-io/transport-node'

type KeyPair = ReturnType<typeof nkeys.createUser>

const UNLIMITED = {
  ...{ subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
  ...{ mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
}

/** A server with accounts, as an operator sets it up: its configuration, and the credentials file of a user. */
export function makeNatsAccounts(): { configuration: string; credentials: string } {
  const operator = nkeys.createOperator()
  const account = nkeys.createAccount()
  const system = nkeys.createAccount()
  const user = nkeys.createUser()
  const limits = { type: 'account', version: 2, limits: UNLIMITED }
  const accounts = [
    [account, signed(operator, account, limits)],
    // Monitors the others, and has no streams.
    [
      system,
      signed(operator, system, { ...limits, limits: { ...UNLIMITED, mem_storage: 0, disk_storage: 0 } }),
    ],
  ] as const
  const preload = accounts.map(([pair, token]) => `${pair.getPublicKey()}: ${token}`).join('\n')
  const jwt = signed(account, user, { type: 'user', version: 2, subs: -1, data: -1, payload: -1 })
  const seed = new TextDecoder().decode(user.getSeed())
  return {
    configuration: `operator: ${signed(operator, operator, { type: 'operator', version: 2 })}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: {\n${preload}\n}\n`,
    credentials: `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n
-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  }
}

/** A JWT about a key pair, signed by another. */
function signed(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const claims = {
    jti: createHash('sha256').update(randomBytes(16)).digest('hex'),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats,
  }
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`
}
