import { Anchor, Code, List, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { CodeBlock } from '../code/code-block.tsx'
import { type Block, type Inline, parseMarkdown } from './parse-markdown.ts'

/** A short text in Markdown. Its words become text of the page, never markup. */
export function Markdown({ source }: { source: string }) {
  const blocks = useMemo(() => parseMarkdown(source), [source])
  return (
    <Stack gap="sm">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text never move
        <BlockView key={at} block={block} />
      ))}
    </Stack>
  )
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return (
        <Title order={3}>
          <Parts parts={block.parts} />
        </Title>
      )
    case 'code':
      return <CodeBlock text={block.text} label="Example" />
    case 'list':
      return (
        <List type={block.ordered ? 'ordered' : 'unordered'} size="sm" spacing={4} withPadding>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of one text never move
            <List.Item key={at}>
              <Parts parts={item} />
            </List.Item>
          ))}
        </List>
      )
    case 'paragraph':
      return (
        <Text size="sm" maw={820} style={{ overflowWrap: 'anywhere' }}>
          <Parts parts={block.parts} />
        </Text>
      )
  }
}

function Parts({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line never move
    <Part key={at} part={part} />
  ))
}

function Part({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <Code>{part.text}</Code>
    case 'strong':
      return <strong>{part.text}</strong>
    case 'link':
      return (
        <Anchor href={part.href} target="_blank" rel="noreferrer" underline="always">
          {part.text}
        </Anchor>
      )
  }
}
