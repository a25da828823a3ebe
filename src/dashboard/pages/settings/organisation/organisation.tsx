import { Paper, Skeleton, Stack } from '@mantine/core'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { hidesContent } from '../../../data/query-client.ts'
import { useRead } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'
import { IdentityForm } from './identity-form.tsx'
import { KeptForm } from './kept-form.tsx'
import { RedactionSection } from './redaction-section.tsx'

/** What holds for the whole installation: name and zone, what is masked, and how long data is kept. */
export default function Organisation() {
  const { data, error, refetch } = useRead('fetchOrganisation', {})
  const own = useRead('fetchOwnUser', {})
  const user = own.data?.user
  const isAdmin = user?.role === 'ADMIN'
  return (
    <>
      <PageHeader title={t('page.organisation')} description={t('organisation.lead')} />
      {hidesContent(error, data) && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {own.error && <FailureNotice error={own.error} onRetry={() => void own.refetch()} />}
      {((data === undefined && !error) || (user === undefined && !own.error)) && (
        <Paper withBorder p="md">
          <Skeleton height={320} />
        </Paper>
      )}
      {data && user && (
        <Stack maw={760}>
          <IdentityForm organisation={data.organisation} isAdmin={isAdmin} />
          <RedactionSection organisation={data.organisation} isAdmin={isAdmin} />
          <KeptForm kept={data.organisation.kept} isAdmin={isAdmin} />
        </Stack>
      )}
    </>
  )
}
