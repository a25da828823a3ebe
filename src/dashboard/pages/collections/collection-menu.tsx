import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type RefObject, useRef, useState } from 'react'
import { useMayWrite } from '../../data/use-own-user.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import type { CollectionRow } from './use-collections.ts'
import { useSwitchCollection } from './use-switch-collection.tsx'

/** What the dialogs of the menu need. */
export interface CollectionDialogProps {
  readonly collection: CollectionRow
  readonly onClose: () => void
  /** The button of the menu. */
  readonly returnTo: RefObject<HTMLElement | null>
}

/** What can be done with one collection. */
export function CollectionMenu({ collection }: { collection: CollectionRow }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { switchTo, busy } = useSwitchCollection(collection)
  if (!useMayWrite()) return null
  const dialogProps = { collection, onClose: () => setDialog(null), returnTo: button }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            loading={busy}
            aria-label={`Actions for ${collection.displayName}`}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
            Rename or describe
          </Menu.Item>
          {collection.deactivated ? (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => switchTo(true)}>
              Activate
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => switchTo(false)}>
              Deactivate
            </Menu.Item>
          )}
          <Menu.Divider role="separator" />
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            c="var(--ink-red)"
            disabled={collection.automated}
            onClick={() => setDialog('delete')}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditDialog {...dialogProps} />}
      {dialog === 'delete' && <DeleteDialog {...dialogProps} />}
    </>
  )
}
