import { Code, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { constantText } from '../../../data/words.ts'
import { t } from '../../../i18n/translate.ts'
import { actionText } from './action-text.ts'

export type AuditEntry = ResponseOf<'fetchAuditLog'>['auditLogs'][number]

interface AuditTableProps {
  readonly entries: readonly AuditEntry[]
  /** Older entries are shown while newer ones are on their way. */
  readonly isStale: boolean
}

/** Entries of the audit log; each opens to its request and its changes. */
export function AuditTable({ entries, isStale }: AuditTableProps) {
  const [open, setOpen] = useState<number | null>(null)
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed" p="md">
        {t('audit.none')}
      </Text>
    )
  return (
    <CardFrame label={t('page.audit')}>
      <Table aria-label={t('page.audit')} miw={760} opacity={isStale ? 0.6 : 1} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('audit.action')}</Table.Th>
            <Table.Th>{t('audit.who')}</Table.Th>
            <Table.Th>{t('audit.from')}</Table.Th>
            <Table.Th>{t('audit.outcome')}</Table.Th>
            <Table.Th>{t('audit.when')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Fragment key={entry.id}>
              <Table.Tr>
                <Table.Td data-label={t('audit.action')}>
                  <UnstyledButton
                    aria-expanded={open === entry.id}
                    onClick={() => setOpen(open === entry.id ? null : entry.id)}
                  >
                    {open === entry.id ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}{' '}
                    <span lang="en">{actionText(entry.action)}</span>
                  </UnstyledButton>
                </Table.Td>
                <Table.Td data-label={t('audit.who')} style={{ overflowWrap: 'anywhere' }}>
                  {entry.login}
                </Table.Td>
                <Table.Td data-label={t('audit.from')}>
                  <div>
                    {entry.ip}
                    {entry.keyId !== null && (
                      <Text size="xs" c="dimmed">
                        {t('audit.viaKey', { key: String(entry.keyId) })}
                      </Text>
                    )}
                  </div>
                </Table.Td>
                <Table.Td data-label={t('audit.outcome')}>
                  <Outcome outcome={entry.outcome} />
                </Table.Td>
                <Table.Td data-label={t('audit.when')}>
                  <TimeAgo seconds={entry.timestamp} />
                </Table.Td>
              </Table.Tr>
              {open === entry.id && (
                <Table.Tr>
                  <Table.Td colSpan={5}>
                    <Details entry={entry} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

function Outcome({ outcome }: { readonly outcome: string | null }) {
  if (outcome === null) return <Tag tone="gray">{t('common.notKnown')}</Tag>
  return outcome === 'OK' ? (
    <Tag tone="green">{t('audit.ok')}</Tag>
  ) : (
    <Tag tone="red">{t('audit.refused', { code: constantText(outcome).toLowerCase() })}</Tag>
  )
}

function Details({ entry }: { readonly entry: AuditEntry }) {
  const hasRequest = Object.keys(entry.request).length > 0
  if (!hasRequest && entry.changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('audit.nothingMore')}
      </Text>
    )
  return (
    <Stack gap="xs">
      {hasRequest && (
        <div>
          <Text size="sm" fw={600}>
            {t('audit.request')}
          </Text>
          <Json value={entry.request} />
        </div>
      )}
      {entry.changes.map((change) => (
        <div key={`${change.kind} ${change.id}`}>
          <Text size="sm" fw={600}>
            {change.kind} {change.id}
          </Text>
          <Text size="xs" c="dimmed">
            {t('audit.before')}
          </Text>
          {change.before === null ? (
            <Text size="sm">{t('audit.wasNot')}</Text>
          ) : (
            <Json value={change.before} />
          )}
          <Text size="xs" c="dimmed">
            {t('audit.after')}
          </Text>
          {change.after === null ? <Text size="sm">{t('audit.isGone')}</Text> : <Json value={change.after} />}
        </div>
      ))}
    </Stack>
  )
}

function Json({ value }: { readonly value: object }) {
  return (
    <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {JSON.stringify(value, null, 2)}
    </Code>
  )
}
