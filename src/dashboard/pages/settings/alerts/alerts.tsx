import { Stack, Text } from '@mantine/core'
import { PageHeader } from '../../../components/page-header.tsx'
import { useOwnUser } from '../../../data/use-own-user.ts'
import { Channels } from './channels.tsx'
import { Deliveries } from './deliveries.tsx'
import { Trackers } from './trackers.tsx'

/** Who is notified outside Vigil: alert channels, ticket trackers, and whether messages arrive. */
export default function Alerts() {
  const role = useOwnUser()?.role
  return (
    <>
      <PageHeader
        title="Alerts and tickets"
        description="Where Vigil sends notifications of finished runs and new issues, and where it creates tickets."
      />
      {role === 'GUEST' ? (
        <Text>Members and administrators see and change these. Your role reads results only.</Text>
      ) : (
        <Stack>
          <Channels />
          <Trackers isAdmin={role === undefined ? undefined : role === 'ADMIN'} />
          <Deliveries />
        </Stack>
      )}
    </>
  )
}
