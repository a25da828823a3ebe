import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { channelReads } from './channel-reads.ts'
import type { Channel } from './channels.tsx'

/** Sends a test message at once and says what came of it. */
export function TestAlert({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const send = useWrite('sendTestAlert', channelReads)
  const isSent = useRef(false)
  const { mutate } = send
  useEffect(() => {
    // Once, also where effects run twice.
    if (!isSent.current) mutate({ id: channel.id })
    isSent.current = true
  }, [mutate, channel.id])
  return (
    <Dialog onClose={onClose} title={`Test message to ${channel.webhookName}`}>
      <Stack>
        {send.isPending && <Skeleton height={44} />}
        {send.error && <FailureNotice error={send.error} />}
        {send.data?.isDelivered === true && (
          <Alert color="green" icon={<IconCheck size={18} />} role="status">
            It was taken with status {send.data.statusCode}. Look for it in the channel.
          </Alert>
        )}
        {send.data?.isDelivered === false && (
          <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert" title="Delivery failed">
            {send.data.problem}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" loading={send.isPending} onClick={() => mutate({ id: channel.id })}>
            Send it again
          </Button>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
