import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CrawlerRun } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { isCrawling } from '../../components/crawl/crawl-state.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { useWrite } from '../../data/use-operation.ts'

/** Stop, crawl again, delete: what can be done with a crawl in its state. */
export function CrawlActions({ crawl }: { crawl: CrawlerRun }) {
  const stop = useWrite('stopCrawler')
  const [open, setOpen] = useState<'again' | 'delete' | null>(null)
  if (isCrawling(crawl.status)) {
    return (
      <Button
        color="red.8"
        leftSection={<IconPlayerStop size={16} />}
        loading={stop.isPending}
        disabled={crawl.status === 'STOP_REQUESTED'}
        onClick={() => stop.mutate({ crawlId: crawl.crawlId }, { onError: notifyFailure })}
      >
        {crawl.status === 'STOP_REQUESTED' ? 'Stopping' : 'Stop'}
      </Button>
    )
  }
  return (
    <>
      <Button leftSection={<IconRefresh size={16} />} onClick={() => setOpen('again')}>
        Crawl again
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'again' && <AgainDialog crawl={crawl} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteDialog crawl={crawl} onClose={() => setOpen(null)} />}
    </>
  )
}

interface DialogProps {
  readonly crawl: CrawlerRun
  readonly onClose: () => void
}

function AgainDialog({ crawl, onClose }: DialogProps) {
  const navigate = useNavigate()
  const again = useWrite('restartCrawl', ['fetchAllDastScans'])
  return (
    <Dialog title="Crawl again" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const textOf = (name: string) => String(fields.get(name) ?? '') || null
          void again
            .mutateAsync({
              crawlId: crawl.crawlId,
              username: textOf('username'),
              password: textOf('password'),
              apiKey: textOf('apiKey'),
            })
            .then(({ crawlId }) => {
              onClose()
              return navigate(`/crawls/${encodeURIComponent(crawlId)}`)
            })
            // The dialog shows the refusal from the state of the write.
            .catch(() => undefined)
        }}
      >
        <Stack>
          <Text size="sm">
            With the same options. Credentials are not kept after a crawl: enter those it is to sign in with
            {crawl.testRoleHexId !== null && ', or nothing to use its test role'}.
          </Text>
          <TextInput label="User name" name="username" autoComplete="off" data-autofocus />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          />
          <PasswordInput
            label="API key"
            name="apiKey"
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
          />
          {again.error && <FailureNotice error={again.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={again.isPending}>
              Start the crawl
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function DeleteDialog({ crawl, onClose }: DialogProps) {
  const navigate = useNavigate()
  const remove = useWrite('deleteCrawl', ['fetchAllDastScans'])
  return (
    <ConfirmDialog
      title="Delete this crawl?"
      confirmLabel="Delete the crawl"
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      onConfirm={() =>
        void remove
          .mutateAsync({ crawlId: crawl.crawlId })
          .then(() => navigate('/crawls'))
          // The dialog shows the refusal from the state of the write.
          .catch(() => undefined)
      }
    >
      <Text size="sm">Its URLs, graph and log are deleted too. The inventory keeps what it learned.</Text>
    </ConfirmDialog>
  )
}
