import { addChannel, checkAlertUrl, MAILTO } from '../../../alerts/index.ts'
import { webhookTypeTable } from '../../../contract/index.ts'
import { isMethodToken } from '../../../http/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { App, Handler } from '../../handler.ts'
import { readEvents, readKind, requireChannel, wireWebhook } from './wire-alerts.ts'

const MAX_HEADERS = 20
/** One address, without a name beside it. */
const ADDRESS = /^[^\s@<>",;:()[\]\\]{1,64}@[^\s@<>",;:()[\]\\]{1,255}$/
/** Headers that Vigil sets. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|content-type|upgrade|expect|webhook-.*)$/i

/** Adds a channel of alerts. */
export const addCustomWebhook: Handler<'addCustomWebhook'> = async (input, { app, caller }) => {
  const { kind } = readKind(input.webhookType)
  const { isForPrograms } = webhookTypeTable[input.webhookType]
  const { url, host } = kind === 'MAIL' ? mailTarget(app, input.url) : postTarget(app, input.url)
  const id = await addChannel(app.store, app.sealer, {
    kind,
    name: input.webhookName.trim() || host,
    url,
    headers: isForPrograms ? checkedHeaders(input.headers) : {},
    secret: isForPrograms ? input.signingKey : '',
    userLogin: caller.login,
    events: readEvents(input.selectedWebhookOptions ?? []),
    leastSeverity: input.leastSeverity,
  })
  if (id === null) throw new Failure('WEBHOOK_EXISTS', {})
  return { customWebhook: wireWebhook(await requireChannel(app, id)) }
}

interface Target {
  readonly url: string
  /** Name of the channel unless it is given one. */
  readonly host: string
}

function postTarget({ settings }: App, text: string): Target {
  const reason = checkAlertUrl(text, settings.allowedAlertTargets)
  if (reason !== null) throw new Failure('WEBHOOK_URL_INVALID', { reason })
  const { href, host } = new URL(text.trim())
  return { url: href, host }
}

function mailTarget({ mailer }: App, text: string): Target {
  if (mailer === null) throw new Failure('ALERT_MAIL_OFF', {})
  const address = text.trim().replace(/^mailto:/i, '')
  if (!ADDRESS.test(address))
    throw new Failure('WEBHOOK_URL_INVALID', { reason: 'it is not an e-mail address' })
  return { url: MAILTO + address, host: address }
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
