/**
 * Operations whose body is not parsed on the main thread: the handler gets the bytes (`Call.rawBody`) and an empty
 * input. For bodies so large or so frequent that parsing them here would hold up every other call.
 */
export const rawBodyOperations: ReadonlySet<string> = new Set(['ingestData'])
