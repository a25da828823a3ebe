import { createHmac } from 'node:crypto'
import { type Alert, linesOf, titleOf } from '../alert.ts'
import { type ChannelKind, type ChannelSecrets, jsonHeaders } from '../channel.ts'

/**
 * Webhooks for programs: JSON with every fact. The id, the time and, with a key, the signature are sent in the headers
 * of the Standard Webhooks specification, so that receivers can check origin and age and drop repeats.
 */
export const webhook: ChannelKind = {
  kind: 'WEBHOOK',
  wireName: 'DEFAULT',
  compose(alert: Alert, secrets: ChannelSecrets) {
    const { event, ...facts } = alert.facts
    const body = JSON.stringify({
      id: alert.id,
      event,
      timestamp: alert.at,
      title: titleOf(alert.facts),
      text: linesOf(alert.facts).join('\n'),
      link: alert.link,
      data: facts,
    })
    const headers = [...jsonHeaders, 'webhook-id', alert.id, 'webhook-timestamp', String(alert.at)]
    if (secrets.secret !== '')
      headers.push('webhook-signature', `v1,${signature(alert, body, secrets.secret)}`)
    for (const [name, value] of Object.entries(secrets.headers)) headers.push(name, value)
    return { headers, body }
  },
}

function signature({ id, at }: Alert, body: string, secret: string): string {
  return createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')
}
