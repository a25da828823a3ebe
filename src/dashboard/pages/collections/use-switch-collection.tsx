import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { useWrite } from '../../data/use-operation.ts'
import { type CollectionRow, collectionReads } from './use-collections.ts'

/** Activates or deactivates a collection at once, and offers to undo it. */
export function useSwitchCollection(collection: CollectionRow) {
  const activate = useWrite('activateCollections', collectionReads)
  const deactivate = useWrite('deactivateCollections', collectionReads)
  // Promises, not callbacks of the call: the row goes away with the refreshed list, and its callbacks with it.
  const switchTo = (active: boolean) => {
    const operation = active ? activate : deactivate
    operation
      .mutateAsync({ apiCollections: [{ id: collection.id }] })
      .then(() => notifySwitched(collection.displayName, active, () => switchTo(!active)), notifyFailure)
  }
  return { switchTo, busy: activate.isPending || deactivate.isPending }
}

function notifySwitched(name: string, active: boolean, undo: () => void): void {
  const id = `switch-${name}`
  const undoAndHide = () => {
    notifications.hide(id)
    undo()
  }
  notifications.show({
    id,
    title: active ? `${name} is active` : `${name} is deactivated`,
    message: (
      <Group justify="space-between">
        {active
          ? 'Its traffic is taken again from now on.'
          : 'Its endpoints are kept; its traffic is dropped from now on.'}
        <Button size="compact-xs" variant="default" onClick={undoAndHide}>
          Undo
        </Button>
      </Group>
    ),
    autoClose: 8000,
  })
}
