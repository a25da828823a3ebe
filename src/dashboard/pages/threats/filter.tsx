import {
  Alert,
  Anchor,
  Box,
  Breadcrumbs,
  Button,
  Code,
  Grid,
  Group,
  Paper,
  Select,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceFloppy, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { FilterState, ResponseOf } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { MissingPage } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { Difference } from '../../components/yaml/difference.tsx'
import { describeError } from '../../data/describe-error.ts'
import { useListAddress } from '../../data/list-address.ts'
import { timeWindows } from '../../data/time-windows.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite, useOwnUser } from '../../data/use-own-user.ts'
import { countOf } from '../../data/words.ts'
import { lineOfError } from '../editor/line-of-error.ts'
import { YamlField } from '../editor/yaml-field.tsx'
import { filterStarter } from './filter-starter.ts'
import { FilterStateSwitch } from './filter-state.tsx'
import { FilterWarnings, type Warnings } from './filter-warnings.tsx'
import { TimelineCard } from './timeline-card.tsx'

const DAY = 86_400
const historyDays = 90

/** One filter: its YAML, tried on stored traffic before it watches live traffic. */
export default function Filter() {
  const { filter: id = '' } = useParams()
  const isNew = id === ''
  // Kept here because the form begins anew with what was saved.
  const [warnings, setWarnings] = useState<Warnings>([])
  const { data, error, refetch } = useRead('fetchFilterYamlTemplate', {}, { enabled: !isNew })
  const found = data?.templates?.find((one) => one.id === id)
  // A new filter has the list too where another page read it.
  if (!isNew && data !== undefined && found === undefined) return <MissingPage kind="filter" />
  return (
    <>
      <PageHeader
        title={isNew ? 'New filter' : found?.info?.name || id}
        description="A filter describes suspicious messages. Test on stored traffic first to see false positives."
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/threats/filters" size="sm">
              Filters
            </Anchor>
          </Breadcrumbs>
        }
        actions={
          found !== undefined && (
            <FilterStateSwitch id={found.id} name={found.info?.name || found.id} state={found.state} />
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!isNew && data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton label="Loading the filter" />
        </Paper>
      )}
      <FilterWarnings title="Saved and in use, with warnings" warnings={warnings} />
      {(isNew || found !== undefined) && (
        <FilterForm
          key={found?.updatedAt ?? 0}
          first={found?.content ?? filterStarter}
          id={found?.id ?? null}
          onWarnings={setWarnings}
        />
      )}
      {found?.shipped && (
        <Box mt="md">
          <Difference
            title="Differs from the shipped version"
            before={found.shipped}
            after={found.content}
            label="Difference from the shipped filter"
          >
            Updates do not overwrite an edited filter. To follow them again, save the shipped text.
          </Difference>
        </Box>
      )}
      {found !== undefined && <HitHistory id={found.id} />}
    </>
  )
}

/** What the filter found in the last months. */
function HitHistory({ id }: { id: string }) {
  const address = useListAddress()
  const [start] = useState(() => Math.floor(Date.now() / 1000 / DAY - historyDays) * DAY)
  return (
    <Stack mt="md">
      <TimelineCard
        title="Hit history"
        address={address}
        start={start}
        end={0}
        filter={{ latestAttack: [id] }}
        query={`filter=${encodeURIComponent(id)}`}
        none={`The filter found nothing in the last ${historyDays} days.`}
      />
    </Stack>
  )
}

interface FilterFormProps {
  readonly first: string
  readonly id: string | null
  readonly onWarnings: (warnings: Warnings) => void
}

function FilterForm({ first, id, onWarnings }: FilterFormProps) {
  const navigate = useNavigate()
  const role = useOwnUser()?.role
  const mayTry = useMayWrite()
  const [text, setText] = useState(first)
  const [deleting, setDeleting] = useState(false)
  const save = useWrite('saveFilterYamlTemplate', ['fetchFilterYamlTemplate'])
  const wrongLine = save.error ? lineOfError(describeError(save.error).title) : null
  const saveNow = async (state: FilterState | null) => {
    // A refusal is shown below the text, from the state of the write.
    const answer = await save.mutateAsync({ content: text, state }).catch(() => null)
    onWarnings(answer?.warnings ?? [])
    if (answer === null) return
    notifications.show({
      title: 'Saved',
      message:
        state === 'DRAFT'
          ? 'The draft inspects nothing until it is switched on.'
          : 'While it is on, the filter inspects every new message.',
    })
    // Anyone who saved something odd has to see it: the page stays.
    if (answer.warnings.length === 0) await navigate('/threats/filters')
  }
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="sm">
          <YamlField
            text={text}
            onChange={setText}
            wrongLine={wrongLine}
            wrongText={save.error ? describeError(save.error).title : ''}
            label="The filter in YAML"
            language="filter"
          />
          {save.error && <FailureNotice error={save.error} />}
          {role === 'ADMIN' ? (
            <Group>
              <Button
                leftSection={<IconDeviceFloppy size={16} />}
                loading={save.isPending}
                onClick={() => void saveNow(null)}
              >
                Save the filter
              </Button>
              <Button variant="default" loading={save.isPending} onClick={() => void saveNow('DRAFT')}>
                Save as draft
              </Button>
              {id !== null && (
                <Button
                  variant="default"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => setDeleting(true)}
                >
                  Delete
                </Button>
              )}
            </Group>
          ) : (
            role !== undefined && (
              <Text size="sm" c="dimmed">
                Only administrators can save filters.
              </Text>
            )
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>{mayTry && <TryFilter content={text} />}</Grid.Col>
      {deleting && id !== null && <DeleteFilter id={id} onClose={() => setDeleting(false)} />}
    </Grid>
  )
}

function DeleteFilter({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useWrite('deleteFilterYamlTemplate')
  return (
    <ConfirmDialog
      title={`Delete the filter ${id}?`}
      confirmLabel="Delete the filter"
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      onConfirm={() =>
        void remove
          .mutateAsync({ templateId: id })
          .then(() => navigate('/threats/filters'))
          // The dialog shows the refusal from the state of the write.
          .catch(() => undefined)
      }
    >
      The filter stops inspecting traffic. Its events stay.
    </ConfirmDialog>
  )
}

type Tried = ResponseOf<'testFilterYamlTemplate'>

function TryFilter({ content }: { content: string }) {
  const [days, setDays] = useState('7')
  const attempt = useWrite('testFilterYamlTemplate', [])
  const start = days === '0' ? 0 : Math.floor(Date.now() / 1000) - Number(days) * DAY
  return (
    <Paper withBorder p="md" component="section" aria-label="Test on stored traffic">
      <Title order={2} mb="xs">
        Test on stored traffic
      </Title>
      <Stack>
        <Group align="flex-end">
          <Select
            label="Time"
            data={[...timeWindows]}
            value={days}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? '7')}
          />
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            loading={attempt.isPending}
            onClick={() => attempt.mutate({ content, startTs: start, endTs: 0 })}
          >
            Try it
          </Button>
        </Group>
        {attempt.error && <FailureNotice error={attempt.error} />}
        {attempt.data && <TriedView tried={attempt.data} />}
        {!attempt.data && !attempt.error && (
          <Text size="sm" c="dimmed">
            Nothing is saved, and no one is notified. Inspects at most 5,000 stored messages.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function TriedView({ tried }: { tried: Tried }) {
  const { checked, matched, truncated, microsecondsPerMessage, examples, warnings } = tried
  return (
    <Stack gap="sm" aria-live="polite">
      <Text size="sm">
        {checked === 0
          ? 'No messages are stored for this time.'
          : `${countOf(matched, 'match', 'matches')} in ${countOf(checked, 'message')}, ${microsecondsPerMessage} µs per message.`}
      </Text>
      <FilterWarnings title="Warnings" warnings={warnings} />
      {truncated > 0 && (
        <Alert color="yellow" p="xs">
          {countOf(truncated, 'message')} exceeded a limit and were inspected only in part.
        </Alert>
      )}
      {examples.length > 0 && (
        <CardFrame inset label="Matches">
          <Table aria-label="Matches" miw={380} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Message</Table.Th>
                <Table.Th>Matched</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {examples.map((one, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: hits of one trial never move
                <Table.Tr key={at}>
                  <Table.Td data-label="Message" style={{ overflowWrap: 'anywhere' }}>
                    {one.method} {one.url} <TimeAgo seconds={one.timestamp} />
                  </Table.Td>
                  <Table.Td data-label="Matched" style={{ overflowWrap: 'anywhere' }}>
                    {one.location || 'negated condition'}
                    {one.phrase !== '' && (
                      <>
                        : <Code>{one.phrase}</Code>
                      </>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
      )}
    </Stack>
  )
}
