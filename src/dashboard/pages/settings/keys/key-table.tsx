import { ActionIcon, Code, Group, Table, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiToken } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ScrollFrame } from '../../../components/table/scroll-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'

/** Keys in their masked form, each with the way to delete it. */
export function KeyTable({ keys }: { keys: readonly ApiToken[] }) {
  const [doomed, setDoomed] = useState<ApiToken | null>(null)
  const remove = useWrite('deleteApiToken', ['fetchApiTokens'])
  return (
    <>
      <ScrollFrame label="API keys">
        <Table aria-label="API keys" miw={760} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Key</Table.Th>
              <Table.Th>Opens</Table.Th>
              <Table.Th>Created</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <Table.Tr key={key.id}>
                <Table.Td>{key.name || 'Without a name'}</Table.Td>
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
                  <TimeAgo seconds={key.lastUsedTs} never="Never" />
                </Table.Td>
                <Table.Td>
                  <Expiry seconds={key.expiresTs} />
                </Table.Td>
                <Table.Td ta="right">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Delete the key ${key.name || key.key}`}
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
          title="Delete this key?"
          confirmLabel="Delete the key"
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setDoomed(null)}
          onConfirm={() => remove.mutate({ apiTokenId: doomed.id }, { onSuccess: () => setDoomed(null) })}
        >
          Programs that use <Code>{shortForm(doomed.key)}</Code> are refused from then on.
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
  if (seconds === 0 || seconds * 1000 > Date.now()) return <TimeAgo seconds={seconds} never="Never" />
  return (
    <Group gap="xs" wrap="nowrap">
      <Tag tone="red">Expired</Tag>
      <TimeAgo seconds={seconds} />
    </Group>
  )
}
