import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { RiskMeter } from '../../components/endpoint/risk-meter.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'

type RiskFactor = EndpointDetail['riskFactors'][number]

/** The risk score and what was seen that speaks for it, the weightiest first. */
export function RiskCard({ endpoint }: { endpoint: EndpointDetail }) {
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label="Risk">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Risk</Title>
        <RiskMeter score={endpoint.riskScore} />
      </Group>
      <Text size="xs" c="dimmed" mb="sm">
        One point each for being new, reachable by the public, answering with sensitive data, or under attack,
        and up to two for open issues. What speaks for a risk beyond that, by weight:
      </Text>
      {endpoint.riskFactors.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing was seen.
        </Text>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {endpoint.riskFactors.map((factor) => (
            <li key={factor.factor}>
              <Factor factor={factor} />
            </li>
          ))}
        </Stack>
      )}
    </Paper>
  )
}

function Factor({ factor }: { factor: RiskFactor }) {
  const name = factor.factor.charAt(0).toUpperCase() + factor.factor.slice(1)
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="baseline">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          weight {factor.points} of 100
        </Text>
      </Group>
      <Progress value={factor.points} size="xs" aria-label={`${name}: weight ${factor.points} of 100`} />
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {factor.evidence}
        {factor.since > 0 && (
          <>
            , since <TimeAgo seconds={factor.since} />
          </>
        )}
      </Text>
    </Stack>
  )
}
