import { Autocomplete, Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { EndpointKey } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import { collectionReads } from '../collections/use-collections.ts'

interface GroupDialogProps {
  readonly endpoints: readonly EndpointKey[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Adds endpoints to a group, which is created when there is none of the name. */
export function GroupDialog({ endpoints, onClose, onDone }: GroupDialogProps) {
  const { data } = useRead('getAllCollections', {})
  const groups =
    data?.apiCollections.filter(({ type, automated }) => type === 'API_GROUP' && !automated) ?? []
  const add = useWrite('addApisToCustomCollection', collectionReads)
  return (
    <Dialog onClose={onClose} title={`Add ${countOf(endpoints.length, 'endpoint')} to a group`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const collectionName = String(new FormData(event.currentTarget).get('name')).trim()
          add.mutate(
            { collectionName, apiList: [...endpoints] },
            {
              onSuccess() {
                notifications.show({ message: `Added to the group ${collectionName}.` })
                onClose()
                onDone()
              },
            },
          )
        }}
      >
        <Stack>
          <Autocomplete
            label="Group"
            name="name"
            description="An existing group, or a new name: letters, digits, spaces, - . and _; at most 60."
            data={groups.map(({ name }) => name)}
            required
            maxLength={60}
            data-autofocus
          />
          {add.error && <FailureNotice error={add.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Add to group
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
