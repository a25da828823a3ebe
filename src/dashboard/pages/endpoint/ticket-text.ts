import type { EndpointDetail } from '../../../contract/browser.ts'

/** An endpoint as the text of a ticket, in Markdown: what it is, what is wrong with it, and where to look. */
export function ticketText(endpoint: EndpointDetail, address: string): string {
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
    `| Authentication seen | ${list(endpoint.actualAuthType)} |`,
    `| Called from | ${list(endpoint.apiAccessTypes)} |`,
    `| Sensitive data in responses | ${list(endpoint.sensitiveInResponse)} |`,
    `| Sensitive data in requests | ${list(endpoint.sensitiveInRequest)} |`,
    `| Last seen | ${new Date(endpoint.lastSeen * 1000).toISOString()} |`,
    '',
    ...(risks.length === 0 ? [] : ['## Risk factors', '', ...risks, '']),
    `Details: ${address}`,
    '',
  ].join('\n')
}
