import type { Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'

const MOST_NAMED = 12

/** What an answer gives, by the names of its fields, to be put behind a statement; '' when it has no fields. */
export function fieldsSentence(exchange: Exchange): string {
  const { keys } = new MessageView(exchange).responseBody.named
  const names = keys.map(({ name }) => name).filter((name) => name !== '')
  if (names.length === 0) return ''
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `, and gives ${names.slice(0, MOST_NAMED).join(', ')}${more}`
}
