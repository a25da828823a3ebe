import { Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBookmark, IconLink, IconPlus, IconTrash } from '@tabler/icons-react'
import { type RefObject, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { describeError } from '../../data/describe-error.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite, useOwnUser } from '../../data/use-own-user.ts'

/** The filters of an address without what only turns its pages. */
function queryOf(search: URLSearchParams): string {
  const query = new URLSearchParams(search)
  query.delete('page')
  return query.toString()
}

/** Saved filters: each is a link that can be sent to somebody. */
export function ViewsMenu({ search }: { readonly search: URLSearchParams }) {
  const { data, error } = useRead('fetchSavedViews', {})
  const views = data?.savedViews ?? []
  const remove = useWrite('deleteSavedView', ['fetchSavedViews'])
  const user = useOwnUser()
  const mayWrite = useMayWrite()
  const [saving, setSaving] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  const query = queryOf(search)
  const shown = views.find((view) => view.query === query)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}/issues?${query}`)
      notifications.show({ message: 'The link to this view is copied.' })
    } catch (error) {
      notifyFailure(error)
    }
  }
  const mayDelete = shown !== undefined && (user?.role === 'ADMIN' || shown.createdBy === user?.login)
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button ref={button} variant="default" leftSection={<IconBookmark size={16} />}>
            {shown === undefined ? 'Views' : shown.viewName}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {data && views.length === 0 && <Menu.Label>No view is saved yet</Menu.Label>}
          {error && !data && (
            <Menu.Label>Saved views cannot be read: {describeError(error).title}</Menu.Label>
          )}
          {views.map((view) => (
            <Menu.Item key={view.viewId} onClick={() => void navigate(`/issues?${view.query}`)}>
              <Text size="sm" fw={view === shown ? 600 : undefined}>
                {view.viewName}
              </Text>
              <Text size="xs" c="dimmed">
                {view.createdBy}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLink size={14} />} onClick={() => void copy()}>
            Copy the link to this view
          </Menu.Item>
          {mayWrite && (
            <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setSaving(true)}>
              Save this view
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item
              leftSection={<IconTrash size={14} />}
              onClick={() => remove.mutate({ viewId: shown.viewId }, { onError: notifyFailure })}
            >
              Delete the view {shown.viewName}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {saving && <SaveDialog query={query} returnTo={button} onClose={() => setSaving(false)} />}
    </>
  )
}

interface SaveDialogProps {
  readonly query: string
  readonly returnTo: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

function SaveDialog({ query, returnTo, onClose }: SaveDialogProps) {
  const save = useWrite('saveView', ['fetchSavedViews'])
  const [viewName, setViewName] = useState('')
  return (
    <Dialog title="Save this view" onClose={onClose} returnTo={returnTo}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ viewName: viewName.trim(), query }, { onSuccess: onClose })
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="Everyone who sees all collections can open it."
            required
            maxLength={80}
            value={viewName}
            onChange={(event) => setViewName(event.currentTarget.value)}
            data-autofocus
          />
          {save.error && <FailureNotice error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
