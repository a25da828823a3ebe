import { type Alert, cut, linesOf, titleOf } from '../alert.ts'
import { type ChannelKind, jsonHeaders } from '../channel.ts'

const MAX_HEADER = 150
const MAX_SECTION = 2_900

/** Incoming webhooks of Slack, and of chats that understand them (Mattermost, Rocket.Chat): Block Kit with a fallback. */
export const slack: ChannelKind = {
  kind: 'SLACK',
  wireName: 'SLACK',
  compose(alert: Alert) {
    const title = titleOf(alert.facts)
    const lines = linesOf(alert.facts).map(escaped)
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: cut(title, MAX_HEADER) } },
      { type: 'section', text: { type: 'mrkdwn', text: bounded(lines) } },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open in Vigil' }, url: alert.link }],
      },
    ]
    return { headers: jsonHeaders, body: JSON.stringify({ text: escaped(title), blocks }) }
  },
}

/** The three signs that Slack reads as markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** As many whole lines as one section holds. */
function bounded(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length + 1 > MAX_SECTION) return `${text}\n…`
    text += text === '' ? line : `\n${line}`
  }
  return text
}
