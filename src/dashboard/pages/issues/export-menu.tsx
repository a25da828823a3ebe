import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Issue, IssueGroup } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { client } from '../../data/client.ts'
import { saveFile } from '../../data/save-file.ts'
import { useTests } from '../../data/use-tests.ts'
import { fetchEveryGroup } from './fetch-every-group.ts'
import type { useIssues } from './issue-query.ts'
import { issuesAsCsv } from './issues-as-csv.ts'
import { issuesAsSarif } from './issues-as-sarif.ts'

/** Places asked for in one call. */
const atOnce = 2_000

/** Every place of the groups, as issues. */
export async function placesOf(groups: readonly IssueGroup[]): Promise<Issue[]> {
  const ids = groups.flatMap(({ issueIds }) => issueIds)
  const places: Issue[] = []
  for (let at = 0; at < ids.length; at += atOnce) {
    const issuesIds = ids.slice(at, at + atOnce)
    const issueStatusQuery = ['OPEN', 'IGNORED', 'FIXED'] as ('OPEN' | 'IGNORED' | 'FIXED')[]
    places.push(...(await client.call('fetchIssuesFromResultIds', { issueStatusQuery, issuesIds })))
  }
  return places
}

/** Saves what the list shows, all pages of it, as a file for other tools. */
export function ExportMenu({ issues }: { issues: ReturnType<typeof useIssues> }) {
  const { byId } = useTests()
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'sarif') => {
      const places = await placesOf(await fetchEveryGroup(issues.request))
      if (format === 'csv') saveFile('issues.csv', issuesAsCsv(places, byId, location.origin), 'text/csv')
      else {
        const log = issuesAsSarif(places, byId, location.origin)
        saveFile('issues.sarif', JSON.stringify(log, null, 2), 'application/sarif+json')
      }
    },
    onError: notifyFailure,
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={save.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate('csv')}>CSV: one line per place</Menu.Item>
        <Menu.Item onClick={() => save.mutate('sarif')}>SARIF 2.1.0: for code scanning</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
