import { accessTokenHeader, apiKeyHeader, errorCodeHeader } from '../wire.ts'

/** What holds for every operation, as paragraphs; the introduction of the document and of the page. */
export const interfaceNotes: readonly string[] = [
  'Every operation is POST /api/<operation> with a JSON object as body and application/json as its type; no parameters: {}, or no body at all.',
  `Calls carry the header ${apiKeyHeader} with a key, or ${accessTokenHeader} with the token of a browser session; the key wins when both are there.`,
  'Unknown fields are ignored. Integers may come as numbers or as decimal text, booleans as true, false or their text. A required field that is absent is refused; null takes the default where there is one. Integers are 32-bit unless a field says otherwise, and text must not hold the character U+0000 unless its format is document.',
  'Times are whole epoch seconds unless a field says otherwise. Many operations answer one wide shared object of which they fill a part; the other fields hold null, 0, false, [] or {} and mean nothing.',
  `An error has the body {"actionErrors": [sentences]} and the header ${errorCodeHeader} with its code. Where waiting helps, Retry-After says how long.`,
]
