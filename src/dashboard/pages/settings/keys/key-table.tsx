import { ActionIcon, Code, Group, Table, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiToken } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { keyKinds } from './key-kinds.ts'

/** Keys in their masked form, each with the way to delete it. */
export function KeyTable({ keys }: { keys: readonly ApiToken[] }) {
  const [doomed, setDoomed] = useState<ApiToken | null>(null)
  const remove = useWrite('deleteApiToken', ['fetchApiTokens'])
  return (
    <>
      <CardFrame label={t('page.keys')}>
        <Table aria-label={t('page.keys')} miw={760} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('common.name')}</Table.Th>
              <Table.Th>{t('keys.key')}</Table.Th>
              <Table.Th>{t('keys.opens')}</Table.Th>
              <Table.Th>{t('keys.created')}</Table.Th>
              <Table.Th>{t('keys.lastUsed')}</Table.Th>
              <Table.Th>{t('keys.expires')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('common.actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <Table.Tr key={key.id}>
                <Table.Td data-label={t('common.name')}>{key.name || t('keys.unnamed')}</Table.Td>
                <Table.Td data-label={t('keys.key')}>
                  <Code>{shortForm(key.key)}</Code>
                </Table.Td>
                <Table.Td data-label={t('keys.opens')}>{scopeWord(key.utility)}</Table.Td>
                <Table.Td data-label={t('keys.created')}>
                  <TimeAgo seconds={key.timestamp} />
                </Table.Td>
                <Table.Td data-label={t('keys.lastUsed')}>
                  <TimeAgo seconds={key.lastUsedTs} never={t('common.never')} />
                </Table.Td>
                <Table.Td data-label={t('keys.expires')}>
                  <Expiry seconds={key.expiresTs} />
                </Table.Td>
                <Table.Td ta="right">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('keys.deleteOne', { name: key.name || key.key })}
                    onClick={() => setDoomed(key)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      {doomed && (
        <ConfirmDialog
          title={t('keys.deleteQuestion')}
          confirmLabel={t('keys.delete')}
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setDoomed(null)}
          onConfirm={() => remove.mutate({ apiTokenId: doomed.id }, { onSuccess: () => setDoomed(null) })}
        >
          <RichText id="keys.deleteNote" values={{ key: <Code>{shortForm(doomed.key)}</Code> }} />
        </ConfirmDialog>
      )}
    </>
  )
}

/** What a key opens, in words; kinds of later servers by their own name. */
function scopeWord(kind: string): string {
  const known = keyKinds.find(({ value }) => value === kind)
  return known === undefined ? kind : t(known.label)
}

/** The first characters: enough to tell keys apart, and the table stays narrow. */
function shortForm(maskedKey: string): string {
  return maskedKey.replace(/\*+$/, '…')
}

function Expiry({ seconds }: { readonly seconds: number }) {
  if (seconds === 0 || seconds * 1000 > Date.now())
    return <TimeAgo seconds={seconds} never={t('common.never')} />
  return (
    <Group gap="xs" wrap="nowrap">
      <Tag tone="red">{t('keys.expired')}</Tag>
      <TimeAgo seconds={seconds} />
    </Group>
  )
}
