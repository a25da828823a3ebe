import type { JsonWebKey, KeyObject } from 'node:crypto'

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
