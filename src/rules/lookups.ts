import type { MessageView } from './messages/message-view.ts'
import type { Pattern } from './pattern.ts'
import type { ContextRecord } from './variables/variables.ts'

/** An endpoint as conditions name it. */
export interface ConditionEndpoint {
  readonly collectionId: number
  /** With the words of the path template; absolute in collections without a host. */
  readonly url: string
  readonly method: string
}

/** A field that messages of a collection were recorded with. */
export interface RecordedField {
  readonly name: string
  /** Values that were seen, at most twenty. */
  readonly values: readonly string[]
  /** Answers about the objects of the endpoint have it. */
  readonly isShown: boolean
  /** Requests about these objects carried it: users set it themselves. */
  readonly isSent: boolean
  /** Values that these requests gave it. */
  readonly sentValues: readonly string[]
}

/** Who was recorded using a function, and what its path says. */
export interface FunctionUse {
  /** Ordinary users among others; administrators only; or people of whom it is not known, and nobody. */
  readonly users: 'ordinary' | 'administrators' | 'unknown'
  /** Word of the path for administration; '' without one, or where ordinary users use functions below it. */
  readonly word: string
  /** An ordinary user was recorded being refused. */
  readonly isRefused: boolean
}

/** A function, and whether ordinary users were recorded using it (true) or being refused (false); else null. */
export interface NearFunction extends ConditionEndpoint {
  readonly isOpen: boolean | null
  /** It shows the same objects with more fields. */
  readonly showsMore?: boolean
}

/** What a function can be compared with to find out whom it is for. */
export interface FunctionsNear {
  /** What ordinary users were recorded using: functions on the same resource, others that read or write alike, or none. */
  readonly compared: 'resource' | 'application' | 'none'
  /** Functions of the same kind (reading or writing) at the nearest common path. */
  readonly beside: readonly NearFunction[]
  /** Functions anywhere that only administrators were recorded using. */
  readonly elsewhere: readonly NearFunction[]
}

/** What conditions ask the installation. All of it was loaded before, so that judging waits for nothing. */
export interface Lookups {
  /** Whether the inventory has an endpoint of this method and collection for a URL. */
  isKnownEndpoint(collectionId: number, method: string, url: string): boolean
  /** Roles that reach an endpoint, by the access matrix. */
  rolesOf(endpoint: ConditionEndpoint): readonly string[]
  /** Whether the access matrix cannot say if a role reaches an endpoint. */
  isAccessUnknown(endpoint: ConditionEndpoint, role: string): boolean
  /**
   * Endpoints beside one that refuse requests without credentials, where most do and the one was only ever called with
   * credentials; none otherwise.
   */
  guardedSiblingsOf(endpoint: ConditionEndpoint): readonly string[]
  /** Recorded access types, in lower case. */
  accessTypesOf(endpoint: ConditionEndpoint): readonly string[]
  /** Values of the sample that only its own user sent, each with another value where one is known; at most five. */
  privateValuesOf(endpoint: ConditionEndpoint, sample: MessageView): readonly ContextRecord[]
  /** Why the object that a sample names belongs to who sent it, as a sentence; '' where nothing recorded says so. */
  ownershipOf(endpoint: ConditionEndpoint, sample: MessageView): string
  /** Whether a request without credentials was recorded being answered. */
  isUsedAnonymously(endpoint: ConditionEndpoint): boolean
  /** Whether an administrator of the application sent a recorded request. */
  isFromAdministrator(sample: MessageView): boolean
  functionUseOf(endpoint: ConditionEndpoint): FunctionUse
  functionsNear(endpoint: ConditionEndpoint): FunctionsNear
  /** A recorded parameter of the collection whose key matches and whose value does not occur in the sample. */
  otherValueOf(collectionId: number, key: Pattern, sample: MessageView): ContextRecord | null
  /** Fields of the collection whose name matches. */
  fieldsOf(endpoint: ConditionEndpoint, names: Pattern): readonly RecordedField[]
  /** Fields of a request, by name, that repeat an amount which the application named with an object of the request. */
  quotedAmountsOf(endpoint: ConditionEndpoint, names: Pattern, sample: MessageView): readonly ContextRecord[]
  /** Whether a value is of a data type of the product, as it stands under this key. */
  matchesDataType(name: string, key: string, value: unknown): boolean
  /** Requests that reached the callback listener for an id. */
  callbackHits(id: string): number
  /** Names and hosts of the collections that contain a URL. */
  collectionsOf(url: string): readonly string[]
  collectionTags(collectionId: number): readonly string[]
}

/** Knows nothing. */
export const EMPTY_LOOKUPS: Lookups = {
  isKnownEndpoint: () => false,
  rolesOf: () => [],
  isAccessUnknown: () => false,
  guardedSiblingsOf: () => [],
  accessTypesOf: () => [],
  privateValuesOf: () => [],
  ownershipOf: () => '',
  isUsedAnonymously: () => false,
  isFromAdministrator: () => false,
  functionUseOf: () => ({ users: 'unknown', word: '', isRefused: false }),
  functionsNear: () => ({ compared: 'none', beside: [], elsewhere: [] }),
  otherValueOf: () => null,
  fieldsOf: () => [],
  quotedAmountsOf: () => [],
  matchesDataType: () => false,
  callbackHits: () => 0,
  collectionsOf: () => [],
  collectionTags: () => [],
}
