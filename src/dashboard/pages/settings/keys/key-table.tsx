import { ActionIcon, Code, Group, Table, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiToken } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ScrollFrame } from '../../../components/table/scroll-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'

/** Keys in their masked form, each with the way to delete it. */
export function KeyTable({ keys }: { keys: readonly ApiToken[] }) {
  const [doomed, setDoomed] = useState<ApiToken | null>(null)
  const remove = useWrite('deleteApiToken', ['fetchApiTokens'])
  return (
    <>
      <ScrollFrame label={t('page.keys')}>
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
                <Table.Td>{key.name || t('keys.unnamed')}</Table.Td>
                <Table.Td>
                  <Code>{shortForm(key.key)}</Code>
                </Table.Td>
                <Table.Td>
                  <Tag code>{key.utility}</Tag>
                </Table.Td>
                <Table.Td>
                  <TimeAgo seconds={key.timestamp} />
                </Table.Td>
                <Table.Td>
                  <TimeAgo seconds={key.lastUsedTs} never={t('common.never')} />
                </Table.Td>
                <Table.Td>
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
      </ScrollFrame>
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
