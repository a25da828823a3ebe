import type { OperationName } from '../contract/index.ts'

/**
 * Operations whose body is not parsed on the main thread: the handler gets the bytes (`Call.rawBody`) and an empty
 * input. For bodies so large or so frequent that parsing them here would hold up every other call.
 */
const names: readonly OperationName[] = [
  'ingestData',
  'uploadHar',
  'importTraffic',
  'importDataFromOpenApiSpec',
  'importDataFromPostmanFile',
]

/** The same as a set, for names that come from a path. */
export const rawBodyOperations: ReadonlySet<string> = new Set(names)
