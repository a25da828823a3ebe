import { notifications } from '@mantine/notifications'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import type { CollectionDialogProps } from './collection-menu.tsx'
import { collectionReads } from './use-collections.ts'

/** Deletes a collection with everything in it, after its name was typed. */
export function DeleteDialog({ collection, onClose, returnTo }: CollectionDialogProps) {
  const remove = useWrite('deleteCollection', collectionReads)
  const confirm = async () => {
    // A refusal is shown in the dialog, from the state of the write.
    const answer = await remove.mutateAsync({ apiCollectionId: collection.id }).catch(() => null)
    if (answer === null) return
    onClose()
    notifications.show({ title: 'Deleted', message: `${collection.displayName} is gone.` })
  }
  return (
    <ConfirmDialog
      title={`Delete ${collection.displayName}?`}
      confirmLabel="Delete permanently"
      typed={collection.name}
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      returnTo={returnTo}
      onConfirm={() => void confirm()}
    >
      {collection.type === 'API_GROUP'
        ? 'The group goes; the endpoints in it stay in their own collections.'
        : `${countOf(collection.urlsCount, 'endpoint')} will be deleted with all samples, parameters and statistics. This cannot be undone; deactivating the collection keeps them.`}
    </ConfirmDialog>
  )
}
