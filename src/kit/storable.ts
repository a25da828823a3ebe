/** Text that the store takes: well-formed Unicode without U+0000; what is neither becomes U+FFFD. */
export function storable(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '\ufffd') : formed
}

/** JSON text of a value with only {@link storable} texts and names, for columns of parsed JSON. */
export function storableJson(value: unknown): string {
  // JSON.stringify writes U+0000 and half surrogate pairs as escapes, and nothing else like them.
  return JSON.stringify(value).replace(/\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/g, (found) =>
    found.length > 2 ? '\\ufffd' : found,
  )
}
