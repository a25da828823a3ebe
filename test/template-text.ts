/** A security test with the given request operations, in YAML; parts may be replaced. */
export function templateText(parts: {
  operations?: string
  requests?: string
  type?: string
  wordLists?: string
  filters?: string
  validate?: string | null
  info?: string
  rest?: string
}): string {
  const requests =
    parts.requests ?? `    - req:${parts.operations === undefined ? ' []' : `\n${parts.operations}`}`
  return [
    'id: CASE',
    'info:',
    '  name: Case',
    '  severity: HIGH',
    '  category: {name: SM, shortName: SM, displayName: Misconfiguration}',
    ...(parts.info === undefined ? [] : [parts.info]),
    ...(parts.wordLists === undefined ? [] : ['wordLists:', parts.wordLists]),
    'api_selection_filters:',
    parts.filters ?? '  response_code: {gte: 200}',
    'execute:',
    `  type: ${parts.type ?? 'single'}`,
    '  requests:',
    requests,
    ...(parts.validate === null ? [] : ['validate:', parts.validate ?? '  response_code: {eq: 200}']),
    ...(parts.rest === undefined ? [] : [parts.rest]),
    '',
  ].join('\n')
}
