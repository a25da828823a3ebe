import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomUUID } from 'node:crypto'

/** An RSA key pair for tampered tokens. */
export interface SigningKey {
  readonly keyId: string
  readonly privateKey: KeyObject
  /** Public half (RFC 7517), with `kid`, `alg` and `use`. */
  readonly publicJwk: JsonWebKey
}

/** Keys for tampered tokens, made when a test first asks for them and kept in memory. */
export interface SigningKeys {
  /** Key whose public half is published, and where; null when the installation publishes none. */
  readonly published: (SigningKey & { readonly url: string }) | null
  /** Key that travels inside the token. */
  readonly embedded: SigningKey
}

/**
 * Two fresh key pairs, once for the process. Each takes about 50 ms when it is first asked for.
 * @param publishedAt URL where the caller serves {@link jwkSet} of the published key; null for none
 */
export function createSigningKeys(publishedAt: string | null): SigningKeys {
  let published: (SigningKey & { url: string }) | null = null
  let embedded: SigningKey | null = null
  return {
    get published() {
      if (publishedAt === null) return null
      published ??= { ...createKey(), url: publishedAt }
      return published
    },
    get embedded() {
      embedded ??= createKey()
      return embedded
    },
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
