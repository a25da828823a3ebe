import { Stack, Tabs, Text } from '@mantine/core'
import { IconFileImport, IconPlugConnected, IconSpiral } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** How the inventory gets its first content. Pasting is part of the file's way. */
export type Way = 'file' | 'paste' | 'live' | 'crawl'

const ways = [
  {
    value: 'file',
    label: 'Import a file',
    text: 'A recording (HAR, Burp) or a description (OpenAPI, Postman, GraphQL).',
    Icon: IconFileImport,
  },
  {
    value: 'live',
    label: 'Connect live traffic',
    text: 'From a gateway, a proxy or the application itself.',
    Icon: IconPlugConnected,
  },
  {
    value: 'crawl',
    label: 'Crawl an application',
    text: 'A headless browser signs in and records the calls that the pages make.',
    Icon: IconSpiral,
  },
] as const

interface WaysProps {
  readonly way: Way
  readonly onChange: (way: Way) => void
  /** Panels by their way. */
  readonly children: ReactNode
}

/** The three ways in, side by side, and the panel of the chosen one. */
export function Ways({ way, onChange, children }: WaysProps) {
  return (
    <Tabs
      value={way === 'paste' ? 'file' : way}
      onChange={(next) => onChange((next ?? 'file') as Way)}
      keepMounted={false}
    >
      <Tabs.List grow aria-label="Ways in">
        {ways.map(({ value, label, text, Icon }) => (
          <Tabs.Tab key={value} value={value} py="md">
            <Stack gap={4} align="center">
              <Icon size={28} stroke={1.5} aria-hidden />
              <Text fw={600}>{label}</Text>
              <Text size="xs" c="dimmed" visibleFrom="sm" maw={300} style={{ whiteSpace: 'normal' }}>
                {text}
              </Text>
            </Stack>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {children}
    </Tabs>
  )
}
