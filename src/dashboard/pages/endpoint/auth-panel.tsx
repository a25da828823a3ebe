import { Alert, Progress, Table, Text } from '@mantine/core'
import { IconLockOpen } from '@tabler/icons-react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { AuthTags } from '../../components/endpoint/auth-tags.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'

const number = new Intl.NumberFormat('en')

/** Which credentials calls carried, and how they ended. */
export function AuthPanel({ endpoint }: { endpoint: EndpointDetail }) {
  const { authSeen } = endpoint
  const total = authSeen.reduce((sum, seen) => sum + seen.count, 0)
  const open = authSeen.find(
    (seen) => seen.outcome === '2xx' && !seen.types.some((type) => type !== 'UNAUTHENTICATED'),
  )
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        No calls yet, so the authentication of this endpoint is unknown. Add traffic of this endpoint.
      </Text>
    )
  }
  return (
    <>
      {open && (
        <Alert color="orange" icon={<IconLockOpen size={18} />} title="No authentication required" mb="sm">
          {open.count === 1
            ? 'One call without any credential was answered with success.'
            : `${number.format(open.count)} calls without any credential were answered with success.`}
        </Alert>
      )}
      <CardFrame inset label="Credentials seen">
        <Table aria-label="Credentials seen" miw={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Credentials</Table.Th>
              <Table.Th>Answered</Table.Th>
              <Table.Th ta="right">Calls</Table.Th>
              <Table.Th w={160}>Share</Table.Th>
              <Table.Th>Last seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {authSeen.map((seen) => (
              <Table.Tr key={`${seen.types.join('+')} ${seen.outcome}`}>
                <Table.Td data-label="Credentials">
                  <AuthTags kinds={seen.types.length === 0 ? ['UNAUTHENTICATED'] : seen.types} />
                </Table.Td>
                <Table.Td data-label="Answered">{seen.outcome}</Table.Td>
                <Table.Td data-label="Calls" ta="right">
                  {number.format(seen.count)}
                </Table.Td>
                <Table.Td data-label="Share">
                  <Progress
                    flex={1}
                    value={(100 * seen.count) / total}
                    aria-label={`${Math.round((100 * seen.count) / total)} % of the calls`}
                  />
                </Table.Td>
                <Table.Td data-label="Last seen">
                  <TimeAgo seconds={seen.lastSeen} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </>
  )
}
