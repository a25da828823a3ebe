import type { Exchange } from '../../http/index.ts'
import type {
  ContextRecord,
  FunctionsNear,
  FunctionUse,
  RecordedField,
  VariableValue,
} from '../../rules/index.ts'
import type { CredentialParameter, ParentMix } from '../attempts/index.ts'
import type { Listing, RoleOutcome } from '../run/tools.ts'

/**
 * Everything that one test on one endpoint got from outside itself, in the order in which it asked. A test that is
 * given the same again comes to the same verdict, with no target and no store.
 */
export interface Tape {
  /** Digest of the source of every template that was used, by id; the test's own is among them. */
  readonly templates: Readonly<Record<string, string>>
  /** Word lists that are not in the template. */
  readonly words: Readonly<Record<string, readonly string[]>>
  /** Word lists for captured names. */
  readonly captured: Readonly<Record<string, VariableValue>>
  readonly credentials: TapedCredentials | null
  /** What the endpoint answered to its unchanged sample; null when it was not asked. */
  readonly fresh: TapedExchange | null
  /** What a request that writes was answered unchanged, after the attempts; null when it was not sent. */
  readonly unchanged: TapedExchange | null
  /** What the role that the test acts as was answered to its own request; null or absent when none was sent. */
  readonly own?: TapedExchange | null
  /** What that role was answered to the list that the object is in; null or absent when it was not sent. */
  readonly list?: TapedExchange | null
  /** A recorded sign-in of the user whose password the test changed; absent when none was asked for. */
  readonly signIn?: TapedExchange | null
  /** What the lists of that role tell about the object; absent when none was asked. */
  readonly listing?: Listing
  /** Whether the object is a part of one that is shared with that role; absent when that was not asked. */
  readonly isPartOfShared?: boolean
  /** Whether another test had found that any field is kept there; absent when it was not so, or not asked. */
  readonly isLoose?: boolean
  /** What became of requests of other functions when the role sent them, by their names; absent when none was sent. */
  readonly outcomes?: Readonly<Record<string, RoleOutcome | null>>
  /** Ways to name the object below what the attacker owns; absent when nothing asked for them. */
  readonly ownParents?: readonly ParentMix[]
  readonly sends: readonly TapedSend[]
  readonly lookups: TapedLookups
  /** Ids registered for callbacks, in order. */
  readonly callbacks: readonly { readonly id: string; readonly url: string }[]
}

/** What a test knew of credentials. */
export interface TapedCredentials {
  readonly headerNames: readonly string[]
  readonly typeHeaders: readonly string[]
  readonly typeBodyKeys: readonly string[]
  readonly roles: Readonly<Record<string, readonly CredentialParameter[] | null>>
}

/** An exchange, or where else in the evidence it stands. */
export type TapedExchange = 'baseline' | 'control' | { readonly attempt: number } | Exchange

/** One request of the test. */
export type TapedSend =
  | {
      readonly exchange: TapedExchange
      readonly responseTimeMs: number
      readonly isTruncated: boolean
      readonly isDefaultPage: boolean
    }
  /** Code of the failure of sending. */
  | { readonly failure: string; readonly details: Readonly<Record<string, string>> }

/** Answers of look-ups in the order in which they were asked; equal ones in a row are counted. */
export type Answers<T> = readonly (readonly [answer: T, times: number])[]

/** Answers of look-ups; those never asked are missing. */
interface TapedLookups {
  readonly isKnownEndpoint?: Answers<boolean>
  readonly rolesOf?: Answers<readonly string[]>
  readonly isAccessUnknown?: Answers<boolean>
  readonly guardedSiblingsOf?: Answers<readonly string[]>
  readonly accessTypesOf?: Answers<readonly string[]>
  readonly privateValuesOf?: Answers<readonly ContextRecord[]>
  readonly ownershipOf?: Answers<string>
  readonly isUsedAnonymously?: Answers<boolean>
  readonly isFromAdministrator?: Answers<boolean>
  readonly functionUseOf?: Answers<FunctionUse>
  readonly functionsNear?: Answers<FunctionsNear>
  readonly otherValueOf?: Answers<ContextRecord | null>
  readonly fieldsOf?: Answers<readonly RecordedField[]>
  readonly quotedAmountsOf?: Answers<readonly ContextRecord[]>
  readonly matchesDataType?: Answers<boolean>
  readonly callbackHits?: Answers<number>
  readonly collectionsOf?: Answers<readonly string[]>
  readonly collectionTags?: Answers<readonly string[]>
}
