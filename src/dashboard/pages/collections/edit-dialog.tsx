import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useWrite } from '../../data/use-operation.ts'
import type { CollectionDialogProps } from './collection-menu.tsx'
import { collectionReads } from './use-collections.ts'

/** Changes name and description. Collections of a host keep the name that the traffic gave them. */
export function EditDialog({ collection, onClose, returnTo }: CollectionDialogProps) {
  const rename = useWrite('editCollectionName', collectionReads)
  const describe = useWrite('saveCollectionDescription', collectionReads)
  const ofHost = collection.hostName !== null
  const save = async (fields: FormData) => {
    const apiCollectionId = collection.id
    const collectionName = String(fields.get('name') ?? collection.name).trim()
    const description = String(fields.get('description')).trim()
    if (collectionName !== collection.name) await rename.mutateAsync({ apiCollectionId, collectionName })
    if (description !== (collection.description ?? ''))
      await describe.mutateAsync({ apiCollectionId, description })
    onClose()
  }
  const failure = rename.error ?? describe.error
  return (
    <Dialog onClose={onClose} title="Rename or describe" returnTo={returnTo}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // A refusal is shown below, from the state of the two writes.
          save(new FormData(event.currentTarget)).catch(() => undefined)
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            name="name"
            defaultValue={collection.name}
            description={ofHost ? 'Fed by the traffic of one host: the name is the host.' : undefined}
            disabled={ofHost}
            required
            maxLength={60}
          />
          <Textarea
            label="Description"
            name="description"
            defaultValue={collection.description ?? ''}
            autosize
            minRows={3}
            maxRows={8}
            maxLength={1000}
            data-autofocus
          />
          {failure && <FailureNotice error={failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending || describe.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
