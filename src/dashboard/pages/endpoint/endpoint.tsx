import { Anchor, Breadcrumbs, Button, Grid, Group, Paper, Stack, Tabs } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'react-router'
import type { EndpointDetail, EndpointKey } from '../../../contract/browser.ts'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { PathText } from '../../components/endpoint/path-text.tsx'
import { DetailFailure } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { NotFound } from '../not-found/not-found.tsx'
import { AttacksPanel } from './attacks-panel.tsx'
import { AuthPanel } from './auth-panel.tsx'
import { CareButton } from './care-button.tsx'
import { ChangesPanel } from './changes-panel.tsx'
import { IssuesPanel } from './issues-panel.tsx'
import { ParametersPanel } from './parameters-panel.tsx'
import { RiskCard } from './risk-card.tsx'
import { SamplesPanel } from './samples-panel.tsx'
import { SummaryCard } from './summary-card.tsx'
import { TemplatePanel } from './template-panel.tsx'
import { TicketButton } from './ticket-button.tsx'
import { TrafficCards } from './traffic-cards.tsx'

// Tables with many columns and rows are loaded when the tab is opened.
const TestsPanel = lazy(() => import('./tests-panel.tsx'))

/** Everything known of one endpoint. */
export default function Endpoint() {
  const { collection } = useParams()
  const { search } = useListAddress()
  const apiCollectionId = Number(collection)
  const method = search.get('method')
  const url = search.get('url')
  if (!Number.isInteger(apiCollectionId) || method === null || url === null) return <NotFound />
  return (
    <OneEndpoint
      key={`${apiCollectionId} ${method} ${url}`}
      endpointKey={{ apiCollectionId, method, url } as EndpointKey}
    />
  )
}

function OneEndpoint({ endpointKey }: { endpointKey: EndpointKey }) {
  const { search } = useListAddress()
  const { data, error, refetch } = useRead('getSingleEndpoint', endpointKey)
  const endpoint = data?.apiInfo
  const from = search.get('from')
  return (
    <>
      <PageHeader
        title={endpointLabel(endpointKey, endpoint?.isTemplate)}
        heading={
          <Group gap="sm" wrap="nowrap" align="center" component="span">
            <MethodTag method={endpointKey.method} />
            <PathText url={endpointKey.url} isTemplate={endpoint?.isTemplate ?? true} />
          </Group>
        }
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/apis" size="sm">
              Collections
            </Anchor>
            <Anchor component={Link} to={`/apis/${from ?? endpointKey.apiCollectionId}`} size="sm">
              {from === null ? (endpoint?.collectionName ?? 'Collection') : 'Group'}
            </Anchor>
          </Breadcrumbs>
        }
        description={endpoint?.description}
        actions={
          endpoint && (
            <>
              <TicketButton endpoint={endpoint} />
              <CareButton endpoint={endpoint} />
              <TestButton endpointKey={endpointKey} />
            </>
          )
        }
      />
      {error && <DetailFailure kind="endpoint" error={error} onRetry={() => void refetch()} />}
      {endpoint === undefined && !error && <TableSkeleton label="Loading the endpoint" />}
      {endpoint && <Details endpoint={endpoint} />}
    </>
  )
}

function TestButton({ endpointKey }: { endpointKey: EndpointKey }) {
  const mayWrite = useMayWrite()
  const { apiCollectionId, method, url } = endpointKey
  const plan = new URLSearchParams({ collection: String(apiCollectionId), method, url })
  if (!mayWrite) return null
  return (
    <Button component={Link} to={`/runs/new?${plan}`} leftSection={<IconPlayerPlay size={16} />}>
      Test this endpoint
    </Button>
  )
}

function Details({ endpoint }: { endpoint: EndpointDetail }) {
  const { one, change } = useListAddress()
  return (
    <Stack>
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <SummaryCard endpoint={endpoint} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <RiskCard endpoint={endpoint} />
        </Grid.Col>
      </Grid>
      <TrafficCards endpoint={endpoint} />
      <Paper withBorder>
        <Tabs
          value={one('tab') || 'parameters'}
          onChange={(tab) => change({ tab: tab === 'parameters' ? '' : (tab ?? '') })}
          keepMounted={false}
        >
          <Tabs.List px="sm" aria-label="Details">
            <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
            <Tabs.Tab value="samples">Samples</Tabs.Tab>
            <Tabs.Tab value="authentication">Authentication</Tabs.Tab>
            <Tabs.Tab value="issues">Issues</Tabs.Tab>
            <Tabs.Tab value="tests">Tests</Tabs.Tab>
            <Tabs.Tab value="attacks">Attacks</Tabs.Tab>
            <Tabs.Tab value="changes">Changes</Tabs.Tab>
            <Tabs.Tab value="template">Path template</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="parameters">
            <ParametersPanel endpoint={endpoint} />
          </Tabs.Panel>
          <Tabs.Panel value="samples" p="md">
            <SamplesPanel endpointKey={endpoint.id} />
          </Tabs.Panel>
          <Tabs.Panel value="authentication" p="md">
            <AuthPanel endpoint={endpoint} />
          </Tabs.Panel>
          <Tabs.Panel value="issues" p="md">
            <IssuesPanel endpointKey={endpoint.id} lastTested={endpoint.lastTested} />
          </Tabs.Panel>
          <Tabs.Panel value="tests">
            <Suspense fallback={<TableSkeleton label="Loading the results" />}>
              <TestsPanel endpointKey={endpoint.id} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="attacks" p="md">
            <AttacksPanel endpointKey={endpoint.id} />
          </Tabs.Panel>
          <Tabs.Panel value="changes" p="md">
            <ChangesPanel endpointKey={endpoint.id} />
          </Tabs.Panel>
          <Tabs.Panel value="template" p="md">
            <TemplatePanel endpoint={endpoint} />
          </Tabs.Panel>
        </Tabs>
      </Paper>
    </Stack>
  )
}
