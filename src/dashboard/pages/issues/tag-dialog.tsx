import { Button, Group, Stack, TagsInput } from '@mantine/core'
import { useState } from 'react'
import type { IssueId } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'

/** Most tags that a person can give an issue. */
const mostTags = 20

interface TagDialogProps {
  readonly ids: readonly IssueId[]
  /** Tags that all of them have; taken away here, they are removed. */
  readonly tags: readonly string[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Adds tags to issues, and removes those that all of them have. */
export function TagDialog({ ids, tags, onClose, onDone }: TagDialogProps) {
  const [next, setNext] = useState<string[]>([...tags])
  const known = useRead('fetchIssueTags', {}).data?.tags.map(({ tag }) => tag) ?? []
  const save = useWrite('tagIssues', issueReads)
  const submit = () =>
    save.mutate(
      {
        issueIdArray: [...ids],
        addTags: next.filter((tag) => !tags.includes(tag)),
        removeTags: tags.filter((tag) => !next.includes(tag)),
      },
      {
        onSuccess: () => {
          onClose()
          onDone?.()
        },
      },
    )
  return (
    <Dialog onClose={onClose} title={`Tags of ${countOf(ids.length, 'place')}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <TagsInput
            label="Tags"
            description={`Press Enter after each; at most ${mostTags}. They can be filtered by.`}
            data={known}
            maxTags={Math.max(mostTags, tags.length)}
            maxLength={40}
            splitChars={[',']}
            value={next}
            onChange={setNext}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear: tags' }}
            data-autofocus
          />
          {save.error && <FailureNotice error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save tags
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
