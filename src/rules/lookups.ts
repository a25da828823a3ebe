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

/** What conditions ask the installation. All of it was loaded before, so that judging waits for nothing. */
export interface Lookups {
  /** Whether the inventory has an endpoint of this method and collection for a URL. */
  isKnownEndpoint(collectionId: number, method: string, url: string): boolean
  /** Roles that reach an endpoint, by the access matrix. */
  rolesOf(endpoint: ConditionEndpoint): readonly string[]
  /** Whether the access matrix cannot say if a role reaches an endpoint. */
  isAccessUnknown(endpoint: ConditionEndpoint, role: string): boolean
  /** Recorded access types, in lower case. */
  accessTypesOf(endpoint: ConditionEndpoint): readonly string[]
  /** Values of the sample that only its own user sent, each with another value where one is known; at most five. */
  privateValuesOf(endpoint: ConditionEndpoint, sample: MessageView): readonly ContextRecord[]
  /** A recorded parameter of the collection whose key matches and whose value does not occur in the sample. */
  otherValueOf(collectionId: number, key: Pattern, sample: MessageView): ContextRecord | null
  /** Whether a value is of a data type of the product, as it stands under this key. */
  matchesDataType(name: string, key: string, value: unknown): boolean
  /** Requests that reached the call-back listener for an id. */
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
  accessTypesOf: () => [],
  privateValuesOf: () => [],
  otherValueOf: () => null,
  matchesDataType: () => false,
  callbackHits: () => 0,
  collectionsOf: () => [],
  collectionTags: () => [],
}
