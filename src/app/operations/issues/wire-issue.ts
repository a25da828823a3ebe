import type { EndpointKey, Issue, IssueId } from '../../../contract/index.ts'
import type { IssueKey, IssueSource, IssueView } from '../../../issues/index.ts'
import { renderObjectId } from '../../../kit/index.ts'
import type { Caller } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'

/** What names an issue, on the wire. */
export function wireIssueId(issue: IssueKey): IssueId {
  return {
    testSubCategory: issue.testId,
    testErrorSource: issue.source,
    testCategoryFromSourceConfig: null,
    testSourceConfig: null,
    apiInfoKey: { method: issue.method, apiCollectionId: issue.collectionId, url: issue.url },
  }
}

/** What a client means by the id of an issue. */
export function readIssueId(sent: {
  testSubCategory: string
  testErrorSource: string
  apiInfoKey: EndpointKey
}): IssueKey {
  return {
    testId: sent.testSubCategory,
    source: sent.testErrorSource as IssueSource,
    collectionId: sent.apiInfoKey.apiCollectionId,
    method: sent.apiInfoKey.method,
    url: sent.apiInfoKey.url,
  }
}

/** An issue on the wire, as the caller may see it: of groups that were not granted it tells nothing. */
export function wireIssue(issue: IssueView, caller: Caller): Issue {
  const isJira = issue.ticketSource === 'JIRA'
  return {
    id: wireIssueId(issue),
    severity: issue.severity,
    testRunIssueStatus: issue.status,
    creationTime: issue.createdAt,
    lastSeen: issue.lastSeen,
    lastUpdated: issue.lastUpdated,
    lastUpdatedBy: issue.lastUpdatedBy,
    latestTestingRunSummaryId: issue.latestSummaryId === null ? null : renderObjectId(issue.latestSummaryId),
    ignoreReason: issue.ignoreReason,
    ignoredUntil: issue.ignoredUntil,
    falsePositiveRuleId: issue.ruleId,
    tags: issue.tags,
    dueAt: issue.dueAt,
    description: issue.description,
    assignee: issue.assignee,
    unread: issue.isUnread,
    collectionIds: issue.collectionIds.filter((id) => id === issue.collectionId || maySee(caller, id)),
    jiraIssueUrl: isJira ? issue.ticketUrl : null,
    azureBoardsWorkItemUrl: null,
    servicenowIssueUrl: null,
    devrevWorkUrl: null,
    ticketSource: issue.ticketSource,
    ticketProjectKey: issue.ticketProjectKey,
    ticketId: issue.ticketId,
    ticketLastUpdatedAt: issue.ticketUpdatedAt,
    latestTestingRunSummaryHexId: issue.latestSummaryId,
    testingRunResultHexId: issue.resultId,
    lastTested: issue.lastTested,
    reopenedAt: issue.reopenedAt,
    causeId: issue.causeKey,
    causeScope: issue.causeScope,
    causeFamily: issue.causeFamily,
    causePlace: issue.causePlace,
    verificationState: issue.unverifiedReason === null ? 'VERIFIED' : 'NOT_VERIFIED',
    verificationReason: issue.unverifiedReason,
  }
}
