import { Anchor, Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { CountCard } from '../../../components/count-card.tsx'
import { listedStates } from '../../../components/endpoint/endpoint-states.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useRead } from '../../../data/use-operation.ts'
import { ages } from '../../endpoints/endpoint-query.ts'

const counted = { limit: 1, state: listedStates, exactTotal: true }

function useTotal(filters: { documented?: boolean; called?: boolean; quietSince?: number }) {
  return useRead('searchEndpoints', { ...counted, ...filters })
}

/** Endpoints that descriptions lack, that nobody calls any more, and that nobody ever called; each leads to its list. */
export function DriftCounts() {
  // To the minute, as the list asks: the same request is asked once.
  const monthAgo = Math.floor(Date.now() / 60_000) * 60 - (ages['month'] ?? 0)
  const described = useTotal({ documented: true })
  const shadow = useTotal({ documented: false, called: true })
  const zombie = useTotal({ quietSince: monthAgo })
  const idle = useTotal({ documented: true, called: false })
  const failed = [described, shadow, zombie, idle].filter(({ isError }) => isError)
  const parts = [
    { to: 'documented=no&called=yes', query: shadow, word: 'called, but not described (shadow)' },
    { to: 'quiet=month', query: zombie, word: 'not called for a month (zombie)' },
    { to: 'documented=yes&called=no', query: idle, word: 'described, but never called' },
  ]
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="Endpoints and their descriptions">
      <Title order={2} mb="xs">
        Endpoints and their descriptions
      </Title>
      {failed[0]?.error && (
        <FailureNotice
          error={failed[0].error}
          onRetry={() => {
            for (const query of failed) void query.refetch()
          }}
        />
      )}
      <Group gap="sm" mt={failed.length > 0 ? 'sm' : undefined}>
        {parts.map(({ to, query, word }) =>
          query.isPending ? (
            <Skeleton key={to} height={66} width={200} />
          ) : (
            <Anchor key={to} component={Link} to={`/apis/all?${to}`} underline="never" c="inherit">
              <CountCard value={query.data?.total} word={word} />
            </Anchor>
          ),
        )}
      </Group>
      {described.data?.total === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          No endpoint is described yet.{' '}
          <Anchor component={Link} to="/start" size="sm" underline="always">
            Import a specification
          </Anchor>{' '}
          to see which endpoints it lacks.
        </Text>
      )}
    </Paper>
  )
}
