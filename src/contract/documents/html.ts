import { escapeMarkup } from '../../kit/index.ts'

/** Paragraphs from text with blank lines between them; `code` in backticks. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((part) => `<p>${withCode(part)}</p>`)
    .join('')
}

/** Text with its `code` in backticks marked up. */
export function withCode(text: string): string {
  return escapeMarkup(text).replace(/`([^`]{1,200})`/g, '<code>$1</code>')
}
