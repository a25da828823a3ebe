import { type Alert, linesOf, titleOf } from '../alert.ts'
import { type ChannelKind, jsonHeaders } from '../channel.ts'

/** Webhooks of Microsoft Teams (Workflows): an Adaptive Card 1.4 in a message. */
export const teams: ChannelKind = {
  kind: 'TEAMS',
  wireName: 'MICROSOFT_TEAMS',
  compose(alert: Alert) {
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        {
          type: 'TextBlock',
          text: plain(titleOf(alert.facts)),
          weight: 'Bolder',
          size: 'Medium',
          wrap: true,
        },
        ...linesOf(alert.facts).map((line) => ({
          type: 'TextBlock',
          text: plain(line),
          wrap: true,
          spacing: 'Small',
        })),
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'Open in Vigil', url: alert.link }],
    }
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
    return { headers: jsonHeaders, body: JSON.stringify({ type: 'message', attachments: [attachment] }) }
  },
}

/** Text blocks read Markdown: links, emphasis and lists of outside texts stay text. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]#~]/g, (mark) => `\\${mark}`)
}
