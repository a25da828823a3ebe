import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPin } from '@tabler/icons-react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { TemplateActions } from './template-actions.tsx'
import { TemplateEvidenceView } from './template-evidence-view.tsx'
import { usePin } from './use-pin.ts'

/** Why the path is a template, and what can be decided about it. */
export function TemplatePanel({ endpoint }: { endpoint: EndpointDetail }) {
  return endpoint.isTemplate ? <Template endpoint={endpoint} /> : <Literal endpoint={endpoint} />
}

function Template({ endpoint }: { endpoint: EndpointDetail }) {
  const { apiCollectionId, url } = endpoint.id
  const { data, error, refetch } = useRead('explainTemplate', { apiCollectionId, url })
  const mayWrite = useMayWrite()
  return (
    <Stack>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton rows={4} label="Loading the evidence" />}
      {data && <TemplateEvidenceView evidence={data} />}
      {mayWrite && <TemplateActions endpoint={endpoint} examples={data?.examples ?? []} />}
    </Stack>
  )
}

function Literal({ endpoint }: { endpoint: EndpointDetail }) {
  const { pin, busy, failure } = usePin(endpoint.id.apiCollectionId)
  const mayWrite = useMayWrite()
  return (
    <Stack gap="xs">
      <Text size="sm">
        This path has no parameters. If later traffic makes it look like one of many values, it may become
        part of a template; pin it to keep it as it is.
      </Text>
      {failure !== null && <FailureNotice error={failure} />}
      {mayWrite && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPin size={16} />}
            loading={busy}
            onClick={() => pin(endpoint.id.url)}
          >
            Keep this path literal
          </Button>
        </Group>
      )}
    </Stack>
  )
}
