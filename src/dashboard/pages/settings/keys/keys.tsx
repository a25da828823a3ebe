import { Button, Paper } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useRead } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyTable } from './key-table.tsx'

/** The caller's API keys. */
export default function Keys() {
  const { data, error, refetch } = useRead('fetchApiTokens', {})
  const [creating, setCreating] = useState(false)
  const keys = data?.apiTokenList?.filter((token) => token.utility !== 'SLACK')
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('keys.new')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('page.keys')} description={t('keys.lead')} actions={create} />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Paper withBorder>
        {keys === undefined && !error && <TableSkeleton rows={3} label={t('keys.loading')} />}
        {keys?.length === 0 && (
          <EmptyState icon={<IconKey size={28} />} title={t('keys.none')} actions={create}>
            {t('keys.noneNote')}
          </EmptyState>
        )}
        {keys !== undefined && keys.length > 0 && <KeyTable keys={keys} />}
      </Paper>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  )
}
