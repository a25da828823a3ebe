import { Paper, Text } from '@mantine/core'
import { countText } from '../data/words.ts'
import { Unknown } from './unknown.tsx'

/** A number and what it counts; a dash while the number is not known. */
export function CountCard({ value, word }: { value: number | undefined; word: string }) {
  return (
    <Paper withBorder px="md" py="xs">
      <Text fw={650} size="lg">
        {value === undefined ? <Unknown /> : countText(value)}
      </Text>
      <Text size="xs" c="dimmed">
        {word}
      </Text>
    </Paper>
  )
}
