import type { EndpointDetail } from '../../../contract/browser.ts'
import { authWord } from '../../components/endpoint/endpoint-words.ts'
import { constantText } from '../../data/words.ts'

/** What a ticket says of an endpoint. */
type TicketEndpoint = Pick<
  EndpointDetail,
  | 'id'
  | 'actualAuthType'
  | 'apiAccessTypes'
  | 'collectionName'
  | 'lastSeen'
  | 'riskFactors'
  | 'riskScore'
  | 'sensitiveInRequest'
  | 'sensitiveInResponse'
>

/** An endpoint as the text of a ticket, in Markdown: what it is, what is wrong with it, and where to look. */
export function ticketText(endpoint: TicketEndpoint, address: string): string {
  const { method, url } = endpoint.id
  const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(', '))
  const exposed = endpoint.actualAuthType.includes('UNAUTHENTICATED')
  const risks = endpoint.riskFactors
    .filter(({ points }) => points > 0)
    .map(
      ({ factor, points, evidence, remedy }) => `- **${factor}** (${points} points): ${evidence}. ${remedy}`,
    )
  return [
    `# ${method} ${url}`,
    '',
    endpoint.sensitiveInResponse.length > 0 && exposed
      ? `The endpoint answers ${list(endpoint.sensitiveInResponse)} without authentication.`
      : `Risk score ${endpoint.riskScore} of 5.`,
    '',
    '| | |',
    '|---|---|',
    `| Collection | ${endpoint.collectionName} |`,
    `| Authentication seen | ${list(endpoint.actualAuthType.map(authWord))} |`,
    `| Called from | ${list(endpoint.apiAccessTypes.map(constantText))} |`,
    `| Sensitive data in responses | ${list(endpoint.sensitiveInResponse)} |`,
    `| Sensitive data in requests | ${list(endpoint.sensitiveInRequest)} |`,
    `| Last seen | ${endpoint.lastSeen === 0 ? 'never' : new Date(endpoint.lastSeen * 1000).toISOString()} |`,
    '',
    ...(risks.length === 0 ? [] : ['## Risk factors', '', ...risks, '']),
    `Details: ${address}`,
    '',
  ].join('\n')
}
