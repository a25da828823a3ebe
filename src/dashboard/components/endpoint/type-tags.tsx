import { Group, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { Tag, type TagTone } from '../tag.tsx'

interface TypeTagsProps {
  readonly names: readonly string[]
  readonly tone?: TagTone
  /** How many are shown before the rest is counted. */
  readonly most?: number
  /** A name as people say it; without it names stand as they are, in the font of code. */
  readonly word?: (name: string) => string
}

/** Names of data types, kinds of authentication and the like; those that do not fit are counted and named on hover. */
export function TypeTags({ names, tone = 'red', most = 4, word }: TypeTagsProps) {
  if (names.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    )
  }
  const rest = names.slice(most).map((name) => word?.(name) ?? name)
  return (
    <Group gap={4}>
      {names.slice(0, most).map((name) => (
        <Tag key={name} tone={tone} code={word === undefined} wraps={word !== undefined}>
          {word?.(name) ?? name}
        </Tag>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.join(', ')}>
          <span>
            <Tag>
              <span aria-hidden>+{rest.length}</span>
              <VisuallyHidden>and {rest.join(', ')}</VisuallyHidden>
            </Tag>
          </span>
        </Tooltip>
      )}
    </Group>
  )
}
