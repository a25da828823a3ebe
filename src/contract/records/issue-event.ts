import { epochSeconds, hexId, model, nullable, oneOf, text } from '../schema.ts'

/** Kinds of entries of the history of an issue. */
const issueEventKinds = [
  'FOUND',
  'CREATED',
  'STATUS',
  'SEVERITY',
  'ASSIGNEE',
  'DESCRIPTION',
  'TICKET',
  'NOT_VERIFIED',
  'COMMENT',
  'TAGS',
] as const

export const issueEvent = model('IssueEvent', 'One entry of the history of an issue.', {
  kind: oneOf(issueEventKinds),
  from: nullable(text({ description: 'The value before.' })),
  to: nullable(text({ description: 'The value after; of CREATED and FOUND the severity.' })),
  actor: nullable(text({ description: 'E-mail address of the person; null when a run did it.' })),
  note: nullable(
    text({ description: 'The reason of IGNORED and NOT_VERIFIED, or the text of a note or comment.' }),
  ),
  testingRunSummaryHexId: nullable(hexId({ description: 'Execution that did it.' })),
  testingRunResultHexId: nullable(hexId({ description: 'Result that did it.' })),
  timestamp: epochSeconds(),
})
