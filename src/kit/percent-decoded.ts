/** Text without its percent codes (RFC 3986 section 2.1); the text itself where they are broken or not UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A name or value of a query or form, where `+` is a space; broken percent codes stay as they are. */
export function formDecoded(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '))
}
