import type { MaliciousEvent } from '../../../contract/index.ts'
import { type Exchange, headerValues, parseSampleMessage } from '../../../http/index.ts'
import {
  type EventView,
  type KeptMessage,
  type MessageFacts,
  type RuleFiring,
  textLine,
  writePayloadText,
} from '../../../threat/index.ts'

/** An event on the wire; without its message where that is kept no longer. */
export function wireEvent(event: EventView, kept: KeptMessage | undefined): MaliciousEvent {
  return {
    id: event.id,
    refId: event.refId,
    actor: event.actor,
    ip: event.ip,
    country: event.country,
    filterId: event.filterId,
    category: event.category,
    subCategory: event.subCategory,
    type: event.type,
    eventType: event.eventType,
    method: event.method,
    url: event.url,
    apiCollectionId: event.collectionId,
    timestamp: event.detectedAt,
    payload: kept === undefined ? '' : payloadText(kept, event.collectionId),
    metadata: metadataText(
      kept?.facts ?? { country: event.country, destCountry: event.destCountry, evidence: [] },
    ),
    severity: event.severity,
    status: event.status,
    host: event.host,
    successfulExploit: event.isExploit,
    label: event.label,
    destCountry: event.destCountry,
    jiraTicketUrl: event.ticketUrl,
  }
}

/** A kept message in the text format of protocol buffers. */
function payloadText({ message }: KeptMessage, collectionId: number): string {
  const exchange = parseSampleMessage(message)
  const { request, response } = exchange
  return writePayloadText({
    method: request.method,
    path: request.target,
    type: request.version,
    requestHeaders: headerMap(request.headers),
    requestPayload: request.body,
    apiCollectionId: collectionId,
    statusCode: response.status,
    status: response.reason,
    responseHeaders: headerMap(response.headers),
    responsePayload: response.body,
    time: exchange.at,
    ip: exchange.clientIp,
    destIp: exchange.serverIp,
    direction: String(exchange.direction),
    isPending: 'false',
    source: exchange.source,
    vxlanId: exchange.vxlanId === 0 ? '' : String(exchange.vxlanId),
  })
}

/** Values by name in lower case. */
function headerMap(headers: Exchange['request']['headers']): Map<string, string[]> {
  const map = new Map<string, string[]>()
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase()
    if (!map.has(name)) map.set(name, headerValues(headers, name))
  }
  return map
}

const LOCATIONS: Readonly<Record<string, string>> = {
  url: 'LOCATION_URL',
  query_param: 'LOCATION_URL',
  request_headers: 'LOCATION_HEADER',
  request_payload: 'LOCATION_BODY',
  response_headers: 'LOCATION_RESPONSE_HEADER',
  response_payload: 'LOCATION_RESPONSE_BODY',
}

/** What is known of a finding, in the text format of protocol buffers. */
export function metadataText(facts: MessageFacts): string {
  const { country, destCountry, evidence, firing } = facts
  const errors = evidence.map(
    (one) =>
      `schema_errors {\n${[
        textLine(
          'message',
          `Matched in ${one.location}${one.name === '' ? '' : ` ${one.name}`} (${one.view})`,
        ),
        textLine('attribute', one.name),
        `location: ${LOCATIONS[one.location] ?? 'LOCATION_UNSPECIFIED'}\n`,
        one.start === 0 ? '' : `start: ${one.start}\n`,
        one.end === 0 ? '' : `end: ${one.end}\n`,
        textLine('phrase', one.phrase),
      ]
        .filter((line) => line !== '')
        .map((line) => `  ${line}`)
        .join('')}}\n`,
  )
  const rule = firing === undefined ? '' : textLine('rule_violated', firing.rule)
  const reason = reasonText(facts)
  return [
    textLine('country_code', country),
    ...errors,
    rule,
    reason === '' ? '' : textLine('reason', reason),
    textLine('dest_country_code', destCountry),
  ].join('')
}

/** What is to be said beside the matches, for people; '' for nothing. */
function reasonText({ firing, isTruncated }: MessageFacts): string {
  const said = firing === undefined ? [] : [firingText(firing)]
  if (isTruncated === true) said.push('truncated: parts of the message beyond a limit were not looked at')
  return said.join('; ')
}

/** What filled the window of a rule, for people. */
function firingText({ count, values, firstAt, lastAt }: RuleFiring): string {
  const time = (at: number): string => new Date(at * 1000).toISOString()
  const what = values === null ? `${count} matches` : `${values} different values in ${count} matches`
  return `${what} from ${time(firstAt)} to ${time(lastAt)}`
}

/** The same as JSON text. */
export function metadataJson(facts: MessageFacts): string {
  const { country, destCountry, evidence, firing, isTruncated } = facts
  const reason = reasonText(facts)
  const schemaErrors = evidence.map((one) => ({
    message: `Matched in ${one.location}${one.name === '' ? '' : ` ${one.name}`} (${one.view})`,
    attribute: one.name,
    location: LOCATIONS[one.location] ?? 'LOCATION_UNSPECIFIED',
    start: one.start,
    end: one.end,
    phrase: one.phrase,
  }))
  return JSON.stringify(
    {
      ...(country === '' ? {} : { countryCode: country }),
      ...(schemaErrors.length === 0 ? {} : { schemaErrors }),
      ...(firing === undefined ? {} : { ruleViolated: firing.rule }),
      ...(reason === '' ? {} : { reason }),
      ...(isTruncated === true ? { truncated: true } : {}),
      ...(destCountry === '' ? {} : { destCountryCode: destCountry }),
    },
    null,
    2,
  )
}
