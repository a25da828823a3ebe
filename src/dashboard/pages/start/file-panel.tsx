import { Button, List, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileImport, IconFileX, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { CollectionField } from './collection-field.tsx'

interface FilePanelProps {
  readonly names: readonly string[]
  readonly busy: boolean
  readonly onFiles: (files: readonly File[], collectionName: string) => void
}

/** Drop or choose files; they are imported at once. */
export function FilePanel({ names, busy, onFiles }: FilePanelProps) {
  const [name, setName] = useState('')
  const open = useRef<() => void>(null)
  return (
    <Stack>
      <CollectionField
        value={name}
        onChange={setName}
        names={names}
        description="Leave it empty to make a new collection named after the file."
      />
      <Dropzone
        openRef={open}
        onDrop={(files) => onFiles(files, name.trim())}
        disabled={busy}
        activateOnClick={false}
        enablePointerEvents
        inputProps={{ 'aria-label': 'Files to import' }}
        p="xl"
      >
        <Stack align="center" gap="xs" mih={150} justify="center">
          <Dropzone.Accept>
            <IconUpload size={40} stroke={1.5} aria-hidden />
          </Dropzone.Accept>
          <Dropzone.Reject>
            <IconFileX size={40} stroke={1.5} aria-hidden />
          </Dropzone.Reject>
          <Dropzone.Idle>
            <IconFileImport size={40} stroke={1.5} aria-hidden />
          </Dropzone.Idle>
          <Text fw={600}>Drop a recording or a description of your API here</Text>
          <Button variant="light" onClick={() => open.current?.()} loading={busy}>
            Choose a file
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            HAR, OpenAPI and Swagger, Postman, Burp XML, curl, raw HTTP or sample messages. Up to 100 MB.
          </Text>
        </Stack>
      </Dropzone>
      <List size="sm" c="dimmed" spacing={2}>
        <List.Item>
          A HAR file comes from the network panel of your browser's developer tools: “Save all as HAR”.
        </List.Item>
        <List.Item>Nothing is sent to the servers that a file names.</List.Item>
        <List.Item>
          Every item of the file is accounted for: taken, or skipped with its place and reason.
        </List.Item>
      </List>
    </Stack>
  )
}
