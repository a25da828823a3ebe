import type { IssueGroup as WireIssueGroup } from '../../../contract/index.ts'
import { countGroups, type IssueGroup, listIssueGroups } from '../../../issues/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { readFilter } from './issue-selection.ts'
import { wireIssue, wireIssueId } from './wire-issue.ts'

/** One page of the issues by cause, and their numbers by status. */
export const fetchIssueGroups: Handler<'fetchIssueGroups'> = async (input, call) => {
  const { store } = call.app
  const filter = {
    ...(await readFilter(call, input)),
    statuses: input.filterStatus ?? null,
    createdFrom: input.startEpoch,
    createdBefore: input.endTimeStamp,
    activeOnly: input.activeCollections,
    text: input.searchString,
    assignees: input.filterAssignee,
    reopenedFrom: input.reopenedSince,
    fixedFrom: input.fixedSince,
    openBefore: input.openBefore,
    tags: input.filterTag,
    dueBefore: input.dueBefore,
  }
  const groups = await listIssueGroups(store, filter, {
    sort: input.sortKey,
    isAscending: input.sortOrder === 1,
    skip: input.skip,
    limit: input.limit,
  })
  const counts = await countGroups(store, filter)
  return {
    issueGroups: groups.map((group) => wireGroup(group, call)),
    openGroupsCount: counts.byStatus.OPEN,
    fixedGroupsCount: counts.byStatus.FIXED,
    ignoredGroupsCount: counts.byStatus.IGNORED,
    openGroupsBySeverity: counts.openBySeverity,
  }
}

function wireGroup(group: IssueGroup, { caller }: Call): WireIssueGroup {
  return {
    causeId: group.causeKey,
    causeScope: group.issue.causeScope,
    causePlace: group.issue.causePlace,
    status: group.status,
    severity: group.severity,
    placesCount: group.places,
    fixedPlacesCount: group.fixedPlaces,
    testSubCategories: group.testIds,
    creationTime: group.createdAt,
    lastSeen: group.lastSeen,
    unread: group.isUnread,
    issue: wireIssue(group.issue, caller),
    issueIds: group.keys.map(wireIssueId),
  }
}
