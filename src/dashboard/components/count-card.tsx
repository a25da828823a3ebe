import { Paper, Text } from '@mantine/core'

const number = new Intl.NumberFormat('en')

/** A number and what it counts. */
export function CountCard({ value, word }: { value: number; word: string }) {
  return (
    <Paper withBorder px="md" py="xs">
      <Text fw={650} size="lg">
        {number.format(value)}
      </Text>
      <Text size="xs" c="dimmed">
        {word}
      </Text>
    </Paper>
  )
}
