import { Paper, Stack } from '@mantine/core'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useRead } from '../../../data/use-operation.ts'
import { HeaderActors } from './header-actors.tsx'
import { Retention } from './retention.tsx'
import { Suppressions } from './suppressions.tsx'

/** What is set about threats: who the actor of a message is, how long events are kept, which are not stored at all. */
export default function ThreatSettings() {
  const own = useRead('fetchOwnUser', {})
  const { data, error, refetch } = useRead('fetchThreatConfiguration', {})
  const user = own.data?.user
  const isAdmin = user?.role === 'ADMIN'
  return (
    <>
      <PageHeader
        title="Threat settings"
        description="How actors are identified, how long events are kept, and which events are dropped."
      />
      <Stack>
        {own.error && <FailureNotice error={own.error} onRetry={() => void own.refetch()} />}
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {((data === undefined && !error) || (user === undefined && !own.error)) && (
          <Paper withBorder>
            <TableSkeleton rows={4} label="Loading the settings" />
          </Paper>
        )}
        {data && user && (
          <>
            <HeaderActors headers={data.threatConfiguration.actor.actorId} isAdmin={isAdmin} />
            <Retention configuration={data.threatConfiguration} isAdmin={isAdmin} />
          </>
        )}
        {user && <Suppressions user={user} />}
      </Stack>
    </>
  )
}
