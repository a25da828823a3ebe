import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { Issue } from '../../../contract/browser.ts'
import { Tag } from '../../components/tag.tsx'
import { TagDialog } from '../issues/tag-dialog.tsx'

/** Words that people gave an issue. */
export function TagsCard({ issue, mayWrite }: { readonly issue: Issue; readonly mayWrite: boolean }) {
  const [editing, setEditing] = useState(false)
  return (
    <Paper withBorder p="md" component="section" aria-label="Tags">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Tags</Title>
        {mayWrite && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} />}
            onClick={() => setEditing(true)}
          >
            Edit tags
          </Button>
        )}
      </Group>
      <Group gap={6}>
        {issue.tags.map((tag) => (
          <Tag key={tag} tone="blue">
            {tag}
          </Tag>
        ))}
        {issue.tags.length === 0 && (
          <Text size="sm" c="dimmed">
            No tag.
          </Text>
        )}
      </Group>
      {editing && <TagDialog ids={[issue.id]} tags={issue.tags} onClose={() => setEditing(false)} />}
    </Paper>
  )
}
