/** Text that the store takes: well-formed Unicode without U+0000; what is neither becomes U+FFFD. */
export function storable(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '\ufffd') : formed
}
