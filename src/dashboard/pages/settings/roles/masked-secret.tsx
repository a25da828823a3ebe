import { ActionIcon, Code, Group } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'

/** A secret that stands hidden until somebody asks to see it. */
export function MaskedSecret({ secret, what }: { secret: string; what: string }) {
  const [shown, setShown] = useState(false)
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code style={{ overflowWrap: 'anywhere' }}>{shown ? secret : '••••••••'}</Code>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={`${shown ? 'Hide' : 'Show'} ${what}`}
        onClick={() => setShown(!shown)}
      >
        {shown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
      </ActionIcon>
    </Group>
  )
}
