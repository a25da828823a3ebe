/*
 * The public API of this module for code that runs in a browser: the client, the types, the lists of words. Nothing reached
 * from here imports a schema library, a validator or Node.
 */
export type { CallOptions, Client, ClientOptions, OperationMethods } from './client.ts'
export { CallError, createClient } from './client.ts'
export type { ErrorCode, ErrorRow } from './errors.ts'
export { errorRow } from './errors.ts'
export * from './limits.ts'
export type { GroupName, KeyKind, Role } from './operation.ts'
export * from './parameter-names.ts'
export type * from './records.ts'
export type { ServerEvent } from './server-events.ts'
export { readServerEvents } from './server-events.ts'
export type { Searchable } from './test-search.ts'
export { matchesSearch } from './test-search.ts'
export type { AnswerOf, OperationName, RequestBodyOf, RequestOf, ResponseOf } from './types.ts'
export * from './vocabulary.ts'
export * from './wire.ts'
