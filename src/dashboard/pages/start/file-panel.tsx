import { Button, List, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileImport, IconFileX, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { NO_TARGET, TargetFields, trimmed } from './target-fields.tsx'
import type { ImportTarget } from './use-imports.ts'

interface FilePanelProps {
  readonly names: readonly string[]
  readonly busy: boolean
  readonly onFiles: (files: readonly File[], target: ImportTarget) => void
}

/** Drop or choose files; they are imported at once. */
export function FilePanel({ names, busy, onFiles }: FilePanelProps) {
  const [target, setTarget] = useState(NO_TARGET)
  const open = useRef<() => void>(null)
  return (
    <Stack>
      <TargetFields
        value={target}
        onChange={setTarget}
        names={names}
        withoutName="Leave it empty to make a new collection named after the file. Results of ZAP and nuclei go to the collections of their hosts."
      />
      <Dropzone
        openRef={open}
        onDrop={(files) => onFiles(files, trimmed(target))}
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
          <Text fw={600} ta="center">
            Drop a recording or a description of your API here
          </Text>
          <Button variant="light" onClick={() => open.current?.()} loading={busy}>
            Choose a file
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            HAR, OpenAPI and Swagger, Postman, Insomnia, GraphQL, AsyncAPI, WSDL, .proto, access logs, Burp
            XML, curl, raw HTTP or sample messages; results of ZAP and nuclei as issues. Up to 100 MB.
          </Text>
        </Stack>
      </Dropzone>
      <List size="sm" c="dimmed" spacing={2}>
        <List.Item>
          A HAR file comes from the network panel of your browser's developer tools: “Save all as HAR”.
        </List.Item>
        <List.Item>Vigil sends nothing to the servers that a file names.</List.Item>
        <List.Item>Lists every item of the file: imported, or skipped with its place and reason.</List.Item>
      </List>
    </Stack>
  )
}
