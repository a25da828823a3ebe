import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { NO_TARGET, TargetFields, trimmed } from './target-fields.tsx'
import type { ImportTarget } from './use-imports.ts'

interface PastePanelProps {
  readonly names: readonly string[]
  readonly busy: boolean
  /** The text as a file, which is how all imports travel. */
  readonly onText: (file: File, target: ImportTarget) => void
}

const example = `curl 'https://shop.example/api/orders/77' -H 'authorization: Bearer …'`

/** Import of pasted text: curl commands, a raw HTTP request, or any of the file formats. */
export function PastePanel({ names, busy, onText }: PastePanelProps) {
  const [target, setTarget] = useState(NO_TARGET)
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onText(new File([text], 'pasted.txt', { type: 'text/plain' }), trimmed(target))
      }}
    >
      <Stack>
        <TargetFields
          value={target}
          onChange={setTarget}
          names={names}
          withoutName="Leave it empty to use the collection “pasted”."
        />
        <Textarea
          label="Text"
          description="curl commands, a raw HTTP request with or without its response, or the text of any file format."
          placeholder={example}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          required
        />
        <Group>
          <Button type="submit" loading={busy} disabled={text.trim() === ''}>
            Import the text
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
