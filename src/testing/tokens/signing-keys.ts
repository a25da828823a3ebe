import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomUUID } from 'node:crypto'

/** An RSA key pair for tampered tokens. */
export interface SigningKey {
  readonly keyId: string
  readonly privateKey: KeyObject
  /** Public half (RFC 7517), with `kid`, `alg` and `use`. */
  readonly publicJwk: JsonWebKey
}

/** Keys for tampered tokens, made at start and kept in memory. */
export interface SigningKeys {
  /** Key whose public half is published, and where; null when the installation publishes none. */
  readonly published: (SigningKey & { readonly url: string }) | null
  /** Key that travels inside the token. */
  readonly embedded: SigningKey
}

/**
 * Two fresh key pairs. Takes about 100 ms: made once for the process.
 * @param publishedAt URL where the caller serves {@link jwkSet} of the published key; null for none
 */
export function createSigningKeys(publishedAt: string | null): SigningKeys {
  return {
    published: publishedAt === null ? null : { ...createKey(), url: publishedAt },
    embedded: createKey(),
  }
}

/** The JWK set to serve at the published URL (RFC 7517 section 5); empty when there is no such key. */
export function jwkSet(keys: SigningKeys): { keys: JsonWebKey[] } {
  return { keys: keys.published === null ? [] : [keys.published.publicJwk] }
}

function createKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keyId = randomUUID()
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }
  return { keyId, privateKey, publicJwk }
}
