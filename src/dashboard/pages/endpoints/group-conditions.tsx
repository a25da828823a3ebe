import { Button, List, Text } from '@mantine/core'
import { IconFilterCog } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiCollection } from '../../../contract/browser.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { GroupConditionsDialog } from '../collections/group-conditions-dialog.tsx'
import { conditionText, groupDraftOf } from '../collections/group-conditions-draft.ts'

/** By which conditions a group has its members, and their form. */
export function GroupConditions({ group }: { group: ApiCollection }) {
  const [isOpen, setOpen] = useState(false)
  const { names } = useCollectionNames()
  const mayWrite = useMayWrite()
  const conditions = groupDraftOf(group)
  return (
    <section aria-label="Conditions of the group">
      <Text size="sm" fw={600}>
        Conditions
      </Text>
      {conditions.length === 0 ? (
        <Text size="sm" c="dimmed">
          None: its endpoints were added one by one.
        </Text>
      ) : (
        <List size="sm">
          {conditions.map((condition) => (
            <List.Item key={JSON.stringify(condition)}>
              {condition.operator === 'OR' ? 'or ' : ''}
              {conditionText(condition, names)}
            </List.Item>
          ))}
        </List>
      )}
      {mayWrite && (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          leftSection={<IconFilterCog size={14} />}
          onClick={() => setOpen(true)}
        >
          {conditions.length === 0 ? 'Add conditions' : 'Edit conditions'}
        </Button>
      )}
      {isOpen && <GroupConditionsDialog group={group} onClose={() => setOpen(false)} />}
    </section>
  )
}
