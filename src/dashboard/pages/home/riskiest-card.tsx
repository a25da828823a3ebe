import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { EndpointOverview } from '../../../contract/browser.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { listedStates } from '../../components/endpoint/endpoint-states.ts'
import { RiskMeter } from '../../components/endpoint/risk-meter.tsx'
import { useRead } from '../../data/use-operation.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from './card.tsx'

/** Reasons shown for an endpoint. */
const shownReasons = 3

/** The endpoints with the highest risk, each with what it consists of. */
export function RiskiestCard() {
  const query = useRead('searchEndpoints', {
    state: listedStates,
    limit: 5,
    sortKey: 'riskScore',
    sortOrder: -1,
  })
  return (
    <Card
      title={t('overview.riskiest')}
      more={
        <Anchor component={Link} to="/apis/all?sort=-riskScore" size="sm">
          {t('page.allEndpoints')}
        </Anchor>
      }
      query={query}
    >
      {({ endpoints }) => (
        <Stack gap="sm">
          {endpoints.map((endpoint) => (
            <Endpoint
              key={`${endpoint.id.apiCollectionId} ${endpoint.id.method} ${endpoint.id.url}`}
              endpoint={endpoint}
            />
          ))}
          {endpoints.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('overview.noEndpoints')}
            </Text>
          )}
        </Stack>
      )}
    </Card>
  )
}

function Endpoint({ endpoint }: { endpoint: EndpointOverview }) {
  const { apiCollectionId, method, url } = endpoint.id
  const { data } = useRead('getSingleEndpoint', { apiCollectionId, method, url })
  const factors = data?.apiInfo.riskFactors ?? []
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <EndpointLink endpointKey={endpoint.id} />
        <RiskMeter score={endpoint.riskScore} />
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {factors
          .slice(0, shownReasons)
          .map(
            ({ factor, evidence }) =>
              `${factor}: ${factor === 'exposure' ? evidence.toLowerCase() : evidence}`,
          )
          .join(' · ')}
      </Text>
    </div>
  )
}
