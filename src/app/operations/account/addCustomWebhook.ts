import { addChannel, checkAlertUrl } from '../../../alerts/index.ts'
import { isMethodToken } from '../../../http/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readEvents, readKind, requireChannel, wireWebhook } from './wire-alerts.ts'

const MAX_HEADERS = 20
/** Headers that Vigil sets. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|content-type|upgrade|expect|webhook-.*)$/i

/** Adds a channel of alerts. */
export const addCustomWebhook: Handler<'addCustomWebhook'> = async (input, { app, caller }) => {
  const reason = checkAlertUrl(input.url, app.settings.allowedAlertTargets)
  if (reason !== null) throw new Failure('WEBHOOK_URL_INVALID', { reason })
  const url = new URL(input.url.trim())
  const kind = readKind(input.webhookType)
  const takes = (field: 'headers' | 'secret'): boolean => kind.fields.some(({ name }) => name === field)
  const id = await addChannel(app.store, app.sealer, {
    kind: kind.kind,
    name: input.webhookName.trim() || url.host,
    url: url.href,
    headers: takes('headers') ? checkedHeaders(input.headers) : {},
    secret: takes('secret') ? input.signingKey : '',
    userLogin: caller.login,
    events: readEvents(input.selectedWebhookOptions ?? []),
    leastSeverity: input.leastSeverity,
  })
  if (id === null) throw new Failure('WEBHOOK_EXISTS', {})
  return { customWebhook: wireWebhook(await requireChannel(app, id)) }
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers)
  const bad =
    entries.length > MAX_HEADERS
      ? entries[MAX_HEADERS]
      : entries.find(
          ([name, value]) =>
            !isMethodToken(name) || OWN_HEADERS.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value),
        )
  if (bad !== undefined) throw new Failure('WEBHOOK_HEADERS_INVALID', { header: bad[0].slice(0, 100) })
  return Object.fromEntries(entries)
}
