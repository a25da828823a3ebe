import { Button, Paper, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useRead } from '../../../data/use-operation.ts'
import { useMayWrite } from '../../../data/use-own-user.ts'
import { RoleCard } from './role-card.tsx'
import { CreateRoleDialog } from './role-dialogs.tsx'

/** Whom tests act as: the attacker and the roles, each with credentials. */
export default function Roles() {
  const { data, error, refetch } = useRead('fetchTestRoles', {})
  const [creating, setCreating] = useState(false)
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHeader
        title="Roles and credentials"
        description="Test identities: the users that tests act as. To prove that one user can read another user’s data, a test needs two."
        actions={
          mayWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
              New role
            </Button>
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton rows={4} label="Loading the roles" />
        </Paper>
      )}
      <Stack>
        {data?.testRoles?.map((role) => (
          <RoleCard key={role.hexId} role={role} mayWrite={mayWrite} />
        ))}
      </Stack>
      {creating && <CreateRoleDialog onClose={() => setCreating(false)} />}
    </>
  )
}
