import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { RiskMeter } from '../../components/endpoint/risk-meter.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'

type RiskFactor = EndpointDetail['riskFactors'][number]

/** The risk score and the reasons that add up to it, the largest first. */
export function RiskCard({ endpoint }: { endpoint: EndpointDetail }) {
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label="Risk">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Risk</Title>
        <RiskMeter score={endpoint.riskScore} />
      </Group>
      <Text size="xs" c="dimmed" mb="sm">
        The points of these factors add up to the score (0 to 5).
      </Text>
      {endpoint.riskFactors.length === 0 ? (
        <Text size="sm" c="dimmed">
          No risk factors found.
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

function pointsOf({ points }: RiskFactor): string {
  return points === 1 ? '1 point' : `${points} points`
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
          {pointsOf(factor)}
        </Text>
      </Group>
      <Progress value={factor.points * 20} size="xs" aria-label={`${name}: ${pointsOf(factor)} of 5`} />
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {factor.evidence}
        {factor.since > 0 && (
          <>
            ; first noticed <TimeAgo seconds={factor.since} />
          </>
        )}
      </Text>
    </Stack>
  )
}
