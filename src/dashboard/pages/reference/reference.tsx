import { Anchor, Code, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { session } from '../../session/use-session.ts'
import { OperationView } from './operation-view.tsx'
import { type ReferenceOperation, readDocument } from './read-document.ts'
import classes from './reference.module.css'

async function fetchDocument({ signal }: { signal: AbortSignal }): Promise<readonly ReferenceOperation[]> {
  const answer = await session.fetch('/openapi.json', { signal })
  if (!answer.ok) throw new Error(`The document could not be read: status ${answer.status}`)
  return readDocument(await answer.json())
}

/** The document is of the running version: it stays the same while the page is open. */
const forever = Number.POSITIVE_INFINITY

/** Every operation of the interface: what it takes, answers and refuses, and a way to try it. */
export default function Reference() {
  const { data, error, refetch } = useQuery({
    queryKey: ['reference'],
    queryFn: fetchDocument,
    staleTime: forever,
  })
  const address = useListAddress()
  const search = address.one('q')
  const chosen = data?.find(({ name }) => name === address.one('operation'))
  return (
    <>
      <PageHeader
        title="API reference"
        description={
          <>
            Every operation is <Code>POST /api/…</Code> with a JSON body. Programs send an{' '}
            <Anchor component={Link} to="/settings/keys" size="sm" underline="always">
              API key
            </Anchor>
            . The same as{' '}
            <Anchor href="/dashboard/openapi.json" size="sm" underline="always">
              an OpenAPI document
            </Anchor>{' '}
            and{' '}
            <Anchor href="/dashboard/reference" size="sm" underline="always">
              on one page
            </Anchor>
            .
          </>
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton label="Loading the reference" />
        </Paper>
      )}
      {data && (
        <Grid>
          <Grid.Col span={{ base: 12, md: 4, xl: 3 }}>
            <Paper withBorder p="sm">
              <SearchField
                label="Search operations"
                value={search}
                onSearch={(text) => address.change({ q: text })}
              />
              <Operations operations={data} search={search} chosen={chosen?.name ?? ''} />
            </Paper>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 8, xl: 9 }}>
            {chosen === undefined ? (
              <Paper withBorder p="md">
                <Text>Choose an operation to see what it takes and answers, and to try it.</Text>
              </Paper>
            ) : (
              <OperationView key={chosen.name} operation={chosen} />
            )}
          </Grid.Col>
        </Grid>
      )}
    </>
  )
}

/** Whether an operation has every word of a search in its name or summary. */
function matches({ name, summary, tag }: ReferenceOperation, search: string): boolean {
  const text = `${name} ${summary} ${tag}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface OperationsProps {
  readonly operations: readonly ReferenceOperation[]
  readonly search: string
  readonly chosen: string
}

function Operations({ operations, search, chosen }: OperationsProps) {
  const groups = useMemo(() => {
    const found = new Map<string, ReferenceOperation[]>()
    for (const one of operations)
      if (matches(one, search)) found.set(one.tag, [...(found.get(one.tag) ?? []), one])
    return [...found]
  }, [operations, search])
  const linkTo = (name: string) =>
    `?${new URLSearchParams({ ...(search === '' ? {} : { q: search }), operation: name })}`
  return (
    <nav aria-label="Operations" className={classes['operations']}>
      {groups.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm" role="status">
          No operation matches. Search by name or by what it does.
        </Text>
      )}
      {groups.map(([tag, inGroup]) => (
        <Stack key={tag} gap={2} mt="sm">
          <Title order={2} size="sm">
            {tag}
          </Title>
          {inGroup.map(({ name, summary }) => (
            <Group key={name} gap={0}>
              <Anchor
                component={Link}
                to={linkTo(name)}
                size="sm"
                title={summary}
                aria-current={name === chosen ? 'true' : undefined}
                className={classes['operation']}
              >
                {name}
              </Anchor>
            </Group>
          ))}
        </Stack>
      ))}
    </nav>
  )
}
