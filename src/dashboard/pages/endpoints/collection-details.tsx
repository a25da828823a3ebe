import { Anchor, Button, Group, Paper, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type ApiCollection, environments } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { listedStates, shownEndpoints } from '../../components/endpoint/endpoint-states.ts'
import { Facts } from '../../components/facts.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { client } from '../../data/client.ts'
import { saveFile } from '../../data/save-file.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { countOf, countText, environmentWord } from '../../data/words.ts'
import { GroupConditions } from './group-conditions.tsx'
import { mergePages } from './merge-openapi.ts'

const reads = ['getCollection', 'getAllCollections', 'getAllCollectionsBasic', 'searchEndpoints'] as const

/** What is set about a collection, how it stands against its document, and its export. */
export function CollectionDetails({ collection }: { collection: ApiCollection }) {
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="About this collection">
      <Group justify="space-between" align="flex-start" mb="xs">
        <Title order={2}>About this collection</Title>
        <ExportButton collection={collection} />
      </Group>
      <Stack>
        <Facts
          facts={[
            ['Host', collection.hostName ?? 'several'],
            ['Endpoints', <EndpointCount key="endpoints" collection={collection} />],
            ['Created', <TimeAgo key="created" seconds={collection.startTs} />],
            ['Against the document', <Drift key="drift" collectionId={collection.id} />],
          ]}
        />
        {collection.type === 'API_GROUP' && !collection.automated && <GroupConditions group={collection} />}
        <Controls collection={collection} />
      </Stack>
    </Paper>
  )
}

/** Endpoints that lists show, and a way to those that they do not. */
function EndpointCount({ collection }: { collection: ApiCollection }) {
  const { id, ignoredUrlsCount: ignored } = collection
  return (
    <Text span size="sm">
      {countText(shownEndpoints(collection))}
      {ignored > 0 && (
        <>
          {', and '}
          <Anchor component={Link} to={`/apis/${id}?state=ignored`} size="sm">
            {countText(ignored)} ignored
          </Anchor>
        </>
      )}
    </Text>
  )
}

async function saveDocument(apiCollectionId: number): Promise<void> {
  try {
    const { openApiSchema } = await client.call('fetchOpenApiSchema', { apiCollectionId })
    saveFile('document.openapi.json', openApiSchema ?? '', 'application/json')
  } catch (error) {
    notifyFailure(error as Error)
  }
}

/** What the traffic has that the document lacks, and the other way round. */
function Drift({ collectionId }: { collectionId: number }) {
  const only = { apiCollectionId: collectionId, state: listedStates, limit: 1, skip: 0, exactTotal: true }
  const missing = useRead('searchEndpoints', { ...only, documented: false }).data?.total
  const silent = useRead('searchEndpoints', { ...only, documented: true, called: false }).data?.total
  const called = useRead('searchEndpoints', { ...only, documented: true, called: true }).data?.total
  if (missing === undefined || silent === undefined || called === undefined) return <Text span>–</Text>
  if (silent + called === 0)
    return (
      <Anchor component={Link} to="/start" size="sm">
        No document yet: import one to see drift
      </Anchor>
    )
  const parts = [
    { query: 'documented=no', count: missing, words: 'not in it (shadow)' },
    { query: 'documented=yes&called=no', count: silent, words: 'in it but never called' },
    { query: 'documented=yes&called=yes', count: called, words: 'in it and called' },
  ]
  return (
    <Text span size="sm">
      {parts.map(({ query, count, words }) => (
        <span key={query}>
          <Anchor component={Link} to={`/apis/${collectionId}?${query}`} size="sm">
            {countOf(count, 'endpoint')}
          </Anchor>{' '}
          {words}
          {', '}
        </span>
      ))}
      <Anchor component="button" type="button" size="sm" onClick={() => void saveDocument(collectionId)}>
        save the document
      </Anchor>
    </Text>
  )
}

function Controls({ collection }: { collection: ApiCollection }) {
  const mayWrite = useMayWrite()
  const apiCollectionIds = [collection.id]
  const environment = useWrite('updateEnvType', reads)
  const scope = useWrite('toggleCollectionsOutOfTestScope', reads)
  const redact = useWrite('redactCollection', reads)
  const [redacting, setRedacting] = useState(false)
  if (!mayWrite) return null
  return (
    <Group align="flex-end" gap="lg">
      <Select
        label="Environment"
        size="xs"
        w={170}
        placeholder="Not set"
        data={environments.map((value) => ({ value, label: environmentWord(value) }))}
        value={collection.envType ?? null}
        disabled={environment.isPending}
        onChange={(value) =>
          value !== null &&
          environment.mutate(
            { apiCollectionIds, envType: [{ keyName: 'envType', value }], resetEnvTypes: false },
            { onError: notifyFailure },
          )
        }
      />
      <Switch
        label="Test runs may use it"
        checked={!collection.isOutOfTestingScope}
        disabled={scope.isPending}
        onChange={() =>
          scope.mutate(
            { apiCollectionIds, currentIsOutOfTestingScopeVal: collection.isOutOfTestingScope },
            { onError: notifyFailure },
          )
        }
      />
      <Switch
        label="Redact values"
        checked={collection.redact}
        disabled={redact.isPending}
        onChange={({ currentTarget: { checked } }) =>
          checked
            ? setRedacting(true)
            : redact.mutate({ apiCollectionId: collection.id, redacted: false }, { onError: notifyFailure })
        }
      />
      {redacting && (
        <ConfirmDialog
          title={`Redact values of ${collection.displayName}?`}
          confirmLabel="Delete samples and redact"
          busy={redact.isPending}
          failure={redact.error}
          onClose={() => setRedacting(false)}
          onConfirm={() =>
            redact.mutate(
              { apiCollectionId: collection.id, redacted: true },
              { onSuccess: () => setRedacting(false) },
            )
          }
        >
          The samples of this collection are deleted now, and values of later messages are masked before
          anything is stored. Deleted samples cannot be restored.
        </ConfirmDialog>
      )}
    </Group>
  )
}

/** Every page of the document that Vigil writes of the traffic, as one. */
async function fetchDocument(apiCollectionId: number): Promise<string> {
  const pages: string[] = []
  let cursor: { lastFetchedUrl: string; lastFetchedMethod: string } | null = null
  do {
    const answer: Awaited<ReturnType<typeof client.call<'generateOpenApiFile'>>> = await client.call(
      'generateOpenApiFile',
      { apiCollectionId, includeHeaders: true, ...(cursor ?? {}) },
    )
    pages.push(answer.openAPIString ?? '{}')
    cursor =
      answer.lastFetchedUrl && answer.lastFetchedMethod
        ? { lastFetchedUrl: answer.lastFetchedUrl, lastFetchedMethod: answer.lastFetchedMethod }
        : null
  } while (cursor !== null)
  return mergePages(pages)
}

function ExportButton({ collection }: { collection: ApiCollection }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const text = await fetchDocument(collection.id)
      saveFile(
        `${collection.displayName.replaceAll(/[^\w.-]+/g, '-')}.openapi.json`,
        text,
        'application/json',
      )
      notifications.show({ title: 'Exported', message: 'The document describes what the traffic showed.' })
    } catch (error) {
      notifyFailure(error as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isBusy}
      onClick={() => void save()}
    >
      Export as OpenAPI
    </Button>
  )
}
