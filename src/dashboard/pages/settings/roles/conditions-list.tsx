import { List, Text } from '@mantine/core'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { type ConditionGroup, type ConditionsDraft, predicateText } from './conditions-draft.ts'

/** What joins the conditions of a group, in words. */
export const groupWords = { AND: 'all of these hold', OR: 'one of these holds' } as const

/** Which endpoints a role may call, in words. */
export function ConditionsList({ conditions }: { conditions: ConditionsDraft }) {
  const { names } = useCollectionNames()
  const groups = [conditions.and, conditions.or].filter(({ predicates }) => predicates.length > 0)
  return (
    <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
      {groups.length === 0 && 'Its endpoints are not declared: tests learn which ones it reaches'}
      {groups.map((group, at) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a role never move
          key={at}
          lead={at === 0 ? 'May call an endpoint if' : 'and'}
          group={group}
          names={names}
        />
      ))}
    </Text>
  )
}

interface GroupProps {
  readonly lead: string
  readonly group: ConditionGroup
  readonly names: ReadonlyMap<number, string>
}

function Group({ lead, group: { operator, predicates }, names }: GroupProps) {
  const [only, ...others] = predicates.map((one) => predicateText(one, names))
  if (others.length === 0) return <div>{`${lead} ${only}`}</div>
  return (
    <div>
      {lead} {groupWords[operator]}:
      <List size="sm" c="dimmed" withPadding>
        {[only, ...others].map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the conditions of a role never move
          <List.Item key={at}>{text}</List.Item>
        ))}
      </List>
    </div>
  )
}
