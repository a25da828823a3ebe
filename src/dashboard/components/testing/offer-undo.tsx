import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { IssueId } from '../../../contract/browser.ts'
import { client } from '../../data/client.ts'
import { queryClient } from '../../data/query-client.ts'
import { countOf } from '../../data/words.ts'
import { notifyFailure } from '../feedback/notify-failure.ts'
import { issueReads } from './issue-reads.ts'

/** How long the button is offered. */
const SHOWN_MS = 15_000

/** What takes the last change of issues back. */
const undoers = {
  status: (issueIdArray: IssueId[]) => client.call('undoIssueStatus', { issueIdArray }),
  severity: (issueIdArray: IssueId[]) => client.call('undoIssueSeverity', { issueIdArray }),
}
type Changed = keyof typeof undoers

interface Done {
  readonly ids: readonly IssueId[]
  readonly message: string
  /** How many of them were not so already: without one, undo would take an older change back. */
  readonly changedCount: number
  readonly changed?: Changed
}

/** Says what was done to issues, with a button that takes it back where something changed. */
export function offerUndo({ ids, message, changedCount, changed = 'status' }: Done): void {
  if (changedCount === 0) {
    notifications.show({ message: `${message}. Nothing changed: it was so already` })
    return
  }
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            void undo(ids, changed)
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    autoClose: SHOWN_MS,
  })
}

async function undo(ids: readonly IssueId[], changed: Changed): Promise<void> {
  try {
    const { undoneCount } = await undoers[changed]([...ids])
    await queryClient.invalidateQueries({
      predicate: ({ queryKey }) => (issueReads as readonly unknown[]).includes(queryKey[0]),
    })
    notifications.show({ message: `Undone: ${countOf(undoneCount, 'place')} as before` })
  } catch (error) {
    notifyFailure(error)
  }
}
