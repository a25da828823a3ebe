/** One part of a multipart/form-data body (RFC 7578). */
interface FormPart {
  readonly name: string
  readonly value: string
  readonly fileName?: string
  readonly mediaType?: string
}

/** The body text of a form, with the boundary given or one that occurs in none of its parts. */
export function multipartBody(
  parts: readonly FormPart[],
  givenBoundary?: string,
): { text: string; boundary: string } {
  let boundary = givenBoundary ?? 'vigil-form-boundary'
  for (let i = 1; parts.some((part) => part.value.includes(boundary)); i++)
    boundary = `vigil-form-boundary-${i}`
  let text = ''
  for (const part of parts) {
    text += `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"`
    if (part.fileName !== undefined) text += `; filename="${quoted(part.fileName)}"`
    if (part.mediaType !== undefined) text += `\r\nContent-Type: ${part.mediaType.replace(/[\r\n]/g, ' ')}`
    text += `\r\n\r\n${part.value}\r\n`
  }
  return { text: `${text}--${boundary}--\r\n`, boundary }
}

/** Escapes as browsers do (WHATWG HTML, multipart form data). */
function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}
