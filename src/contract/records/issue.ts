import type { Static } from 'typebox'
import {
  absentable,
  decimal,
  epochSeconds,
  flag,
  hexId,
  integer,
  list,
  model,
  nullable,
  oneOf,
  text,
} from '../schema.ts'
import { causeScopes, issueSources, issueStatuses, severities, verificationStates } from '../vocabulary.ts'
import { endpointKey } from './endpoint-key.ts'
import { objectId } from './object-id.ts'

export const issueId = model('IssueId', 'What names an issue: one test on one endpoint, over all runs.', {
  testSubCategory: text({ description: 'Id of the test.' }),
  testErrorSource: oneOf(issueSources),
  testCategoryFromSourceConfig: nullable(text()),
  testSourceConfig: nullable(text()),
  apiInfoKey: endpointKey,
})

export const sentIssueId = model('SentIssueId', 'What names an issue, as clients send it.', {
  testSubCategory: text({ description: 'Id of the test.' }),
  testErrorSource: text({ description: 'AUTOMATED_TESTING.' }),
  testCategoryFromSourceConfig: absentable(nullable(text({ description: 'Ignored; may be absent.' }))),
  testSourceConfig: absentable(nullable(text({ description: 'Ignored; may be absent.' }))),
  apiInfoKey: endpointKey,
})

export const issue = model('Issue', 'One weakness of one endpoint, over all runs.', {
  id: issueId,
  severity: oneOf(severities),
  testRunIssueStatus: oneOf(issueStatuses),
  creationTime: epochSeconds('First finding; a re-opened issue keeps it.'),
  lastSeen: epochSeconds('Last finding.'),
  lastUpdated: epochSeconds('Last change by a person, or the creation.'),
  lastUpdatedBy: nullable(text({ description: 'Who changed status or severity last.' })),
  latestTestingRunSummaryId: nullable(objectId),
  ignoreReason: nullable(text()),
  ignoredUntil: epochSeconds('When an ignored issue opens again; 0 for never.'),
  falsePositiveRuleId: nullable(
    integer({ description: 'The rule that ignores it; null when no rule does.' }),
  ),
  tags: list(text(), { description: 'Words that people gave it.' }),
  dueAt: epochSeconds('When an open issue is due by its severity; 0 without a deadline.'),
  description: nullable(text({ description: 'Note of a person.' })),
  assignee: nullable(text({ description: 'E-mail address of the person whose it is.' })),
  unread: flag({ description: 'True until a person opens the evidence.' }),
  collectionIds: list(integer(), { description: 'The owning collection and the groups of the endpoint.' }),
  jiraIssueUrl: nullable(text()),
  azureBoardsWorkItemUrl: nullable(text()),
  servicenowIssueUrl: nullable(text()),
  devrevWorkUrl: nullable(text()),
  ticketSource: nullable(text()),
  ticketProjectKey: nullable(text()),
  ticketId: nullable(text()),
  ticketLastUpdatedAt: epochSeconds('0 without a ticket.'),
  latestTestingRunSummaryHexId: nullable(hexId({ description: 'Last execution that tested it.' })),
  testingRunResultHexId: nullable(hexId({ description: 'Newest vulnerable result.' })),
  lastTested: epochSeconds('Last test, whatever it found.'),
  reopenedAt: epochSeconds('When it was last re-opened; 0 for never.'),
  causeId: text({ description: 'The same for all places of one cause; see fetchIssueGroups.' }),
  causeScope: oneOf(causeScopes, { description: 'Where the mistake sits.' }),
  causeFamily: text({
    description:
      'The weakness that tests of one cause share; the id of the test when no other test finds it.',
  }),
  causePlace: text({
    description: 'The host, or the changed part of the request, such as "query url"; empty for an endpoint.',
  }),
  verificationState: oneOf(verificationStates, {
    description:
      'NOT_VERIFIED: the last test of an open issue neither found it nor proved its absence, so it stays open.',
  }),
  verificationReason: nullable(
    text({ description: 'Why the last test proved nothing; null when VERIFIED.' }),
  ),
})

export const issueGroup = model('IssueGroup', 'One cause with all places where it was found.', {
  causeId: text({ description: 'Stable over runs.' }),
  causeScope: oneOf(causeScopes, { description: 'Where the mistake sits.' }),
  causePlace: text({ description: 'The host, or the changed part of the request; empty for an endpoint.' }),
  status: oneOf(issueStatuses, {
    description: 'OPEN while any place is; FIXED when every place is verified as fixed.',
  }),
  severity: oneOf(severities, { description: 'The worst of the places in that status.' }),
  placesCount: integer({ description: 'Places in that status.' }),
  fixedPlacesCount: integer({ description: 'Places that were fixed.' }),
  testSubCategories: list(text(), { description: 'Ids of the tests that found it.' }),
  creationTime: epochSeconds('First finding at any place.'),
  lastSeen: epochSeconds('Last finding at any place.'),
  unread: flag({ description: 'A place in that status has evidence that nobody opened.' }),
  issue,
  issueIds: list(issueId, { description: 'The places in that status, the worst first, 1000 at most.' }),
})

export const coverageRow = model(
  'CoverageRow',
  'Coverage and risk of one collection, or of all, at one time.',
  {
    apiCollectionId: integer({ description: 'The collection; 0 for the sum over all.' }),
    totalApis: integer({ description: 'Endpoints.' }),
    riskScore: decimal({ description: 'Sum of the risk scores of the endpoints.' }),
    apisTested: integer({ description: 'Endpoints tested within 30 days.' }),
    time: epochSeconds('Start of the day, week or month in UTC.'),
  },
)

export type IssueId = Static<typeof issueId>
export type IssueGroup = Static<typeof issueGroup>
export type Issue = Static<typeof issue>
