import { Alert, Anchor, Breadcrumbs, Button, Grid, Group, List, Paper, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Difference } from '../../components/yaml/difference.tsx'
import { describeError } from '../../data/describe-error.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { CasesPanel } from './cases-panel.tsx'
import { lineOfError } from './line-of-error.ts'
import { starter } from './starter.ts'
import { TryPanel } from './try-panel.tsx'
import { YamlField } from './yaml-field.tsx'

/** Writes a test: a new one, or from one of the library. */
export default function Editor() {
  const [search] = useSearchParams()
  const from = search.get('from') ?? ''
  const { data, error, refetch } = useRead(
    'fetchTestContent',
    { originalTestId: from || '-' },
    { enabled: from !== '' },
  )
  return (
    <>
      <PageHeader
        title={from === '' ? 'New test' : `Edit ${from}`}
        description={
          from === ''
            ? 'A test chooses endpoints, changes their requests, and judges the answers.'
            : 'Built-in tests cannot be changed: give your copy a new id.'
        }
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/library" size="sm">
              Test library
            </Anchor>
          </Breadcrumbs>
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {from !== '' && data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton label="Loading the test" />
        </Paper>
      )}
      {(from === '' || data !== undefined) && (
        <EditorForm
          key={from}
          first={data?.content ?? starter}
          firstCases={data?.cases ?? ''}
          originalTestId={from}
        />
      )}
    </>
  )
}

interface EditorFormProps {
  readonly first: string
  readonly firstCases: string
  /** '' for a new test. */
  readonly originalTestId: string
}

function EditorForm({ first, firstCases, originalTestId }: EditorFormProps) {
  const navigate = useNavigate()
  const [text, setText] = useState(first)
  const [cases, setCases] = useState(firstCases)
  const save = useWrite('saveTestEditorFile', ['fetchAllSubCategories', 'fetchTestContent'])
  const wrongLine = save.error ? lineOfError(describeError(save.error).title) : null
  const problems = save.data?.templateProblems ?? []
  const saveNow = async () => {
    // A refusal is shown beside the text, from the state of the write.
    const answer = await save.mutateAsync({ content: text, originalTestId, cases }).catch(() => null)
    if (answer === null || answer.templateProblems.length > 0) return
    notifications.show({ title: 'Saved', message: `${answer.finalTestId} can be run from now on.` })
    await navigate(`/library/${encodeURIComponent(answer.finalTestId)}`)
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
          />
          {save.error && <FailureNotice error={save.error} />}
          {originalTestId !== '' && text !== first && (
            <Difference
              title="What you changed"
              before={first}
              after={text}
              label={`Difference from ${originalTestId}`}
            />
          )}
          {problems.length > 0 && (
            <Alert color="yellow" title="Saved; this deserves a look">
              <List size="sm">
                {problems.map((one) => (
                  <List.Item key={`${one.line} ${one.message}`}>
                    Line {one.line}: {one.message}
                    {one.nearest && ` Perhaps “${one.nearest}” is meant.`}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Group>
            <Button
              leftSection={<IconDeviceFloppy size={16} />}
              loading={save.isPending}
              onClick={() => void saveNow()}
            >
              Save the test
            </Button>
            <Text size="sm" c="dimmed">
              Faults are shown with their line.
            </Text>
          </Group>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack>
          <TryPanel content={text} />
          <CasesPanel content={text} cases={cases} onChange={setCases} />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}
