import { Button, List, Text } from '@mantine/core'
import { IconFilterCog } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiCollection } from '../../../contract/browser.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useMayWriteAll } from '../../data/use-own-user.ts'
import { GroupConditionsDialog } from '../collections/group-conditions-dialog.tsx'
import { conditionText, groupDraftOf } from '../collections/group-conditions-draft.ts'

/** An endpoint is a member when it meets every AND condition and, where there are OR conditions, one of these. */
const parts = [
  { label: 'All of', operator: 'AND' },
  { label: 'At least one of', operator: 'OR' },
] as const

function Part({ label, texts }: { label: string; texts: readonly string[] }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <List size="sm" aria-label={label}>
        {texts.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may be there twice
          <List.Item key={`${at} ${text}`}>{text}</List.Item>
        ))}
      </List>
    </>
  )
}

/** By which conditions a group has its members, and their form. */
export function GroupConditions({ group }: { group: ApiCollection }) {
  const [isOpen, setOpen] = useState(false)
  const { names } = useCollectionNames()
  const mayWrite = useMayWriteAll()
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
        parts.map(({ label, operator }) => {
          const texts = conditions
            .filter((condition) => condition.operator === operator)
            .map((condition) => conditionText(condition, names))
          return texts.length > 0 && <Part key={operator} label={label} texts={texts} />
        })
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
