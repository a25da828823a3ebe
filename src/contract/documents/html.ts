/** Text made safe for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Paragraphs from text with blank lines between them; `code` in backticks. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((part) => `<p>${withCode(part)}</p>`)
    .join('')
}

/** Text with its `code` in backticks marked up. */
export function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]{1,200})`/g, '<code>$1</code>')
}
