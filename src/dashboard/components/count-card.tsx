import { Anchor, Paper, Text } from '@mantine/core'
import { Link } from 'react-router'
import { countText } from '../data/words.ts'
import { Unknown } from './unknown.tsx'

interface CountCardProps {
  readonly value: number | undefined
  readonly word: string
  /** Address of the list of what is counted. */
  readonly to?: string
}

/** A number and what it counts; a dash while the number is not known. */
export function CountCard({ value, word, to }: CountCardProps) {
  const shown = value === undefined ? <Unknown /> : countText(value)
  return (
    <Paper withBorder px="md" py="xs">
      <Text fw={650} size="lg">
        {to === undefined || value === undefined ? (
          shown
        ) : (
          <Anchor component={Link} to={to} inherit display="block" aria-label={`${countText(value)} ${word}`}>
            {shown}
          </Anchor>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {word}
      </Text>
    </Paper>
  )
}
