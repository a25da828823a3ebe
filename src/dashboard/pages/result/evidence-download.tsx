import { Button, Group, Text, Tooltip } from '@mantine/core'
import { IconDownload, IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { client } from '../../data/client.ts'
import { saveFile } from '../../data/save-file.ts'
import { useOwnUser } from '../../data/use-own-user.ts'

interface EvidenceDownloadProps {
  readonly resultId: string
  readonly file: { readonly fileName: string; readonly evidence: unknown }
}

/** Saves the file of evidence; administrators may have it with its secrets, which the server logs. */
export function EvidenceDownload({ resultId, file }: EvidenceDownloadProps) {
  const isAdmin = useOwnUser()?.role === 'ADMIN'
  const whole = useMutation({
    mutationFn: () =>
      client.call('exportTestResultEvidence', { testingRunResultHexId: resultId, unmasked: true }),
    onSuccess: (answer) => saveFile(answer.fileName, JSON.stringify(answer.evidence, null, 2)),
    onError: notifyFailure,
  })
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed">
        Secrets and sensitive data are masked.
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => saveFile(file.fileName, JSON.stringify(file.evidence, null, 2))}
      >
        Download
      </Button>
      {isAdmin && (
        <Tooltip label="The file then holds credentials and sensitive data in clear. The server logs that you asked for it.">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconKey size={14} />}
            loading={whole.isPending}
            onClick={() => whole.mutate()}
          >
            Unmasked
          </Button>
        </Tooltip>
      )}
    </Group>
  )
}
