import type { Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'

const MOST_NAMED = 12

/** The fields of an answer by name, to be put behind "an answer"; '' when it has none. */
export function fieldsSentence(exchange: Exchange): string {
  const { keys } = new MessageView(exchange).responseBody.named
  const names = keys.map(({ name }) => name).filter((name) => name !== '')
  if (names.length === 0) return ''
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return ` with ${names.slice(0, MOST_NAMED).join(', ')}${more}`
}
