import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeBlock } from '../../components/code/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { saveFile } from '../../data/save-file.ts'
import { session } from '../../session/use-session.ts'

const forms = [
  { value: 'text', label: 'Addresses, one per line', file: 'blocklist.txt' },
  { value: 'nginx', label: 'nginx', file: 'blocklist.nginx.conf' },
  { value: 'envoy', label: 'Envoy', file: 'blocklist.envoy.yaml' },
  { value: 'kong', label: 'Kong', file: 'blocklist.kong.yaml' },
  { value: 'json', label: 'JSON, with who is left out', file: 'blocklist.json' },
] as const

async function fetchBlockList(format: string, signal: AbortSignal): Promise<string> {
  const answer = await session.fetch(`/api/blocklist?format=${format}`, { signal })
  if (!answer.ok) throw new Error(`The block list cannot be shown (status ${answer.status})`)
  return answer.text()
}

/** Who is blocked, in the form that a gateway takes, and the command by which it gets it. */
export function BlockListDialog({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState<(typeof forms)[number]>(forms[0])
  const { data, error, refetch } = useQuery({
    queryKey: ['blocklist', form.value],
    queryFn: ({ signal }) => fetchBlockList(form.value, signal),
  })
  const command = `curl -sf -H "x-api-key: $VIGIL_KEY" -o ${form.file} "${window.location.origin}/api/blocklist?format=${form.value}"`
  return (
    <Dialog onClose={onClose} title="Block list" size="xl">
      <Stack>
        <Text size="sm">
          Gateways block these addresses if they are configured to. Trusted proxies, private addresses and
          actors that are not addresses are omitted; only the JSON format lists them.
        </Text>
        <Select
          label="Form"
          data={forms.map(({ value, label }) => ({ value, label }))}
          value={form.value}
          allowDeselect={false}
          onChange={(value) => setForm(forms.find((one) => one.value === value) ?? forms[0])}
        />
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined && !error && <TableSkeleton rows={4} label="Loading the block list" />}
        {data === '' && <Text size="sm">No blocked actor has an address that a gateway can block.</Text>}
        {data !== undefined && data !== '' && <CodeBlock text={data} label="The block list" />}
        <Text size="sm">Gateways fetch the list with an API key, as often as needed:</Text>
        <CodeBlock text={command} label="The command that fetches it" />
        <Group justify="flex-end">
          <CopyButton text={command} what="the command" />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            disabled={data === undefined}
            onClick={() => saveFile(form.file, data ?? '', 'text/plain')}
          >
            Save the list
          </Button>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
