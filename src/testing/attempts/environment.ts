import type { Variables } from '../../rules/index.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import type { RequestIdentity } from './request-draft.ts'

/** What operations may use beside the request; one for each pair of endpoint and template. */
export interface AttemptEnvironment {
  readonly variables: Variables
  readonly credentials: CredentialSource
  /** Null when the installation has no listener. */
  readonly callback: CallbackPort | null
  readonly keys: SigningKeys
  nowSeconds(): number
  readonly files: FileSource
  /** Ways to name the recorded object below what the attacker's own request names; empty where none is known. */
  ownParents(): readonly ParentMix[]
}

/** An identifier of the recorded request that has another value in the attacker's own request. */
export interface OwnName {
  readonly in: 'path' | 'query' | 'body'
  /** Number of the segment from 1, name of the parameter, or path of the field. */
  readonly name: string
  /** What kind of object it names, such as `projects` or `project_id`. */
  readonly kind: string
  readonly recorded: string
  readonly own: string
}

/** An object of somebody else, and what it is kept in, which the attacker's own request names instead. */
export interface ParentMix {
  readonly object: OwnName
  readonly parents: readonly OwnName[]
}

/** Role of the second identity, as templates know it. */
export const ATTACKER_ROLE = 'ATTACKER_TOKEN_ALL'

export interface CredentialSource {
  /** Names of headers and cookies that carry credentials; empty when none is known. */
  readonly authHeaderNames: readonly string[]
  /** Keys of all configured kinds of authentication. */
  readonly authTypeKeys: { readonly headers: readonly string[]; readonly bodyKeys: readonly string[] }
  /** Credentials of a role, ready to use; null when there is no such role. */
  parametersOf(role: string): readonly CredentialParameter[] | null
  readonly attackerRole: typeof ATTACKER_ROLE
}

export interface CredentialParameter {
  readonly where: 'HEADER' | 'BODY' | 'TLS' | 'DIGEST'
  readonly key: string
  readonly value: string
  /** Put in even where the request has nothing of that name. */
  readonly isAlwaysAdded?: boolean
  /** What the request is sent as, of TLS and DIGEST. */
  readonly identity?: RequestIdentity
}

/** Registers ids with the out-of-band listener. */
export interface CallbackPort {
  register(redirectUrl?: string): { readonly id: string; readonly url: string }
  hits(id: string): number
  /** Resolves when every id that was given out would be recognised by anyone who gets its call; absent: at once. */
  settled?(): Promise<void> | null
}

/** Files for uploads. Nothing is fetched: the product brings its own. */
export interface FileSource {
  /** The file that stands for a URL, by its extension; null when the URL is none. */
  fileFor(
    url: string,
  ): { readonly fileName: string; readonly mediaType: string; readonly bytes: Uint8Array } | null
}
