import { Button, Group, Paper, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { useRead } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'
import { actionText } from './action-text.ts'
import { AuditTable } from './audit-table.tsx'
import { useAuditExport } from './use-audit-export.ts'

/** Who changed what, with the state before and after; for administrators. */
export default function AuditLog() {
  const [person, setPerson] = useState('')
  const [action, setAction] = useState<string | null>(null)
  const [page, setPage] = useState(0)
  const [pageSize, setPageSize] = useState(50)
  const [login] = useDebouncedValue(person.trim(), 300)
  const filter = { login: login === '' ? null : login, action }
  const { data, error, refetch, isPlaceholderData } = useRead(
    'fetchAuditLog',
    { ...filter, skip: page * pageSize, limit: pageSize },
    { keepLast: true },
  )
  const { isExporting, exportCsv } = useAuditExport(filter)
  return (
    <>
      <PageHeader
        title={t('page.audit')}
        description={t('audit.lead')}
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={isExporting}
            disabled={data === undefined || data.total === 0}
            onClick={() => void exportCsv()}
          >
            {t('audit.export')}
          </Button>
        }
      />
      <Group mb="md">
        <TextInput
          aria-label={t('audit.person')}
          placeholder={t('audit.personPlaceholder')}
          value={person}
          onChange={(event) => {
            setPerson(event.currentTarget.value)
            setPage(0)
          }}
        />
        <Select
          aria-label={t('audit.action')}
          placeholder={t('audit.every')}
          clearable
          searchable
          w={280}
          data={(data?.actions ?? []).map((value) => ({ value, label: actionText(value) }))}
          value={action}
          onChange={(value) => {
            setAction(value)
            setPage(0)
          }}
        />
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton rows={8} label={t('audit.loading')} />
        </Paper>
      )}
      {data && (
        <Paper withBorder>
          <AuditTable entries={data.auditLogs} isStale={isPlaceholderData} />
          <Pager
            page={page}
            pageSize={pageSize}
            total={data.total}
            shown={data.auditLogs.length}
            onPage={setPage}
            onPageSize={(size) => {
              setPageSize(size)
              setPage(0)
            }}
            what={t('audit.entries')}
          />
        </Paper>
      )}
    </>
  )
}
