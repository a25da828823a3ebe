import { Button, Menu } from '@mantine/core'
import type { IssueId } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { useWrite } from '../../data/use-operation.ts'
import { usePeople } from '../../data/use-people.ts'

interface AssignMenuProps {
  readonly ids: readonly IssueId[]
  readonly size?: 'xs' | 'sm'
  readonly onDone?: () => void
}

/** Gives issues to a person, or to nobody. */
export function AssignMenu({ ids, size = 'xs', onDone }: AssignMenuProps) {
  const people = usePeople()
  const assign = useWrite('bulkAssignIssues', issueReads)
  const to = (assignee: string | null) =>
    assign.mutate(
      { issueIdArray: [...ids], assignee },
      { onSuccess: () => onDone?.(), onError: notifyFailure },
    )
  return (
    <Menu>
      <Menu.Target>
        <Button size={size} variant="default" loading={assign.isPending}>
          Assign
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {people.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => to(value)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => to(null)}>Nobody</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
