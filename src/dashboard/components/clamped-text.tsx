import { Text, type TextProps } from '@mantine/core'

interface ClampedTextProps extends Pick<TextProps, 'size' | 'c' | 'span'> {
  readonly text: string
  readonly lines: number
}

/** A text that is cut after some lines, whole on hover. */
export function ClampedText({ text, lines, ...look }: ClampedTextProps) {
  return (
    <Text {...look} lineClamp={lines} title={text} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}
