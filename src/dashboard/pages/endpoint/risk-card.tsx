import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { RiskMeter } from '../../components/endpoint/risk-meter.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'

/** Words for the factors of the score; others are shown by their wire name. */
const factorWords: Record<string, string> = {
  NEW: 'New',
  PUBLIC: 'Reachable by the public',
  SENSITIVE: 'Sensitive data',
  THREAT: 'Attacked',
  ISSUES: 'Open issues',
}

/** The risk score with every point and its evidence. */
export function RiskCard({ endpoint }: { endpoint: EndpointDetail }) {
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label="Risk">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Risk</Title>
        <RiskMeter score={endpoint.riskScore} />
      </Group>
      {endpoint.riskFactors.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing adds to the score: no sensitive data, no public callers, no attacks, no open issues.
        </Text>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {endpoint.riskFactors.map((factor) => (
            <li key={factor.factor}>
              <Stack gap={0}>
                <Group justify="space-between" wrap="nowrap">
                  <Text size="sm" fw={600}>
                    {Object.hasOwn(factorWords, factor.factor) ? factorWords[factor.factor] : factor.factor}
                  </Text>
                  <Text size="sm" fw={650} style={{ whiteSpace: 'nowrap' }}>
                    +{factor.points}
                  </Text>
                </Group>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {factor.evidence}
                  {factor.since > 0 && (
                    <>
                      , since <TimeAgo seconds={factor.since} />
                    </>
                  )}
                </Text>
              </Stack>
            </li>
          ))}
        </Stack>
      )}
    </Paper>
  )
}
