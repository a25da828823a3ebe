import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { collectionReads } from './use-collections.ts'

/** Creates an empty collection by name and opens it. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const create = useWrite('createCollection', collectionReads)
  return (
    <Dialog onClose={onClose} title="New collection">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const collectionName = String(new FormData(event.currentTarget).get('name')).trim()
          create.mutate(
            { collectionName },
            {
              onSuccess: (answer) => {
                onClose()
                const created = answer.apiCollections[0]
                if (created) void navigate(`/apis/${created.id}`)
              },
            },
          )
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            name="name"
            description="Letters, digits, spaces, - . and _; at most 60."
            required
            maxLength={60}
            data-autofocus
          />
          {create.error && <FailureNotice error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
