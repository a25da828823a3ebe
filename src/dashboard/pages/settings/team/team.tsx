import { Button, Paper, Stack, Title } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useRead } from '../../../data/use-operation.ts'
import { useOwnUser } from '../../../data/use-own-user.ts'
import { t } from '../../../i18n/translate.ts'
import { InvitationTable } from './invitation-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { UserTable } from './user-table.tsx'

/** The people of this installation: roles, invitations, removal. */
export default function Team() {
  const own = useOwnUser()
  const { data, error, refetch } = useRead('getTeamData', {})
  const [inviting, setInviting] = useState(false)
  const isAdmin = own?.role === 'ADMIN'
  return (
    <>
      <PageHeader
        title={t('page.team')}
        description={t('team.lead')}
        actions={
          isAdmin && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
              {t('team.invite')}
            </Button>
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton rows={3} label={t('team.loading')} />
        </Paper>
      )}
      {data && (
        <Stack>
          <Paper withBorder>
            <UserTable users={data.users} own={own} />
          </Paper>
          {data.invitations.length > 0 && (
            <section>
              <Title order={2} mb="xs">
                {t('team.openInvitations')}
              </Title>
              <Paper withBorder>
                <InvitationTable invitations={data.invitations} />
              </Paper>
            </section>
          )}
        </Stack>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}
