import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowsSplit, IconPin } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { useWrite } from '../../data/use-operation.ts'
import { firstLiteral } from './first-literal.ts'
import { usePin } from './use-pin.ts'

interface TemplateActionsProps {
  readonly endpoint: EndpointDetail
  /** Values seen at the template's positions. */
  readonly examples: readonly string[]
}

/** Split the template into the paths behind it, or keep one path out of it. */
export function TemplateActions({ endpoint, examples }: TemplateActionsProps) {
  const { apiCollectionId, method, url } = endpoint.id
  const navigate = useNavigate()
  const split = useWrite('deMergeApi')
  const merge = useWrite('mergeApis')
  const { pin, busy, failure } = usePin(apiCollectionId)
  const [literal, setLiteral] = useState<string | null>(null)
  const undo = () => merge.mutate({ apiCollectionId, template: url }, { onError: notifyFailure })
  const splitNow = async () => {
    // A refusal is shown below, from the state of the write.
    const answer = await split.mutateAsync({ apiCollectionId, method, url }).catch(() => null)
    if (answer === null) return
    tellOfSplit(answer.deMergedApis.length, undo)
    await navigate(`/apis/${apiCollectionId}`)
  }
  return (
    <section aria-label="Change decision">
      <Stack gap="xs">
        <Title order={2} size="h3">
          Change decision
        </Title>
        <Text size="sm" c="dimmed">
          Later traffic never overrides a user’s decision about a path.
        </Text>
        {split.error && <FailureNotice error={split.error} />}
        <Group>
          <Button
            variant="default"
            leftSection={<IconArrowsSplit size={16} />}
            loading={split.isPending}
            onClick={() => void splitNow()}
          >
            Split into the paths behind it
          </Button>
        </Group>
        {failure !== null && <FailureNotice error={failure} />}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            pin(String(new FormData(event.currentTarget).get('path')).trim())
          }}
        >
          <Group align="flex-end">
            <TextInput
              label="Keep one path out of the template"
              name="path"
              value={literal ?? firstLiteral(url, examples)}
              onChange={(event) => setLiteral(event.currentTarget.value)}
              required
              maxLength={2000}
              spellCheck={false}
              flex="1 1 280px"
              maw={520}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
            <Button type="submit" variant="default" leftSection={<IconPin size={16} />} loading={busy}>
              Keep it literal
            </Button>
          </Group>
        </form>
      </Stack>
    </section>
  )
}

function tellOfSplit(count: number, undo: () => void): void {
  const id = 'template-split'
  const undoAndHide = () => {
    notifications.hide(id)
    undo()
  }
  notifications.show({
    id,
    title: 'The template is split',
    message: (
      <Group justify="space-between">
        {count} endpoints came out of it.
        <Button size="compact-xs" variant="default" onClick={undoAndHide}>
          Undo
        </Button>
      </Group>
    ),
    autoClose: 10_000,
  })
}
