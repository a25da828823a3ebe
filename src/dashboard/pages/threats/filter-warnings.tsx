import { Alert, List } from '@mantine/core'
import type { ResponseOf } from '../../../contract/browser.ts'

/** What is odd about a filter that can be used. */
export type Warnings = ResponseOf<'testFilterYamlTemplate'>['warnings']

/** Warnings about a filter with their lines; nothing where there are none. */
export function FilterWarnings({ title, warnings }: { title: string; warnings: Warnings }) {
  if (warnings.length === 0) return null
  return (
    <Alert color="yellow" p="xs" mb="sm" title={title}>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {warnings.map(({ line, path, message }) => (
          <List.Item key={`${line} ${path} ${message}`}>
            Line {line}
            {path !== '' && `, ${path}`}: {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
