import { Tag, type TagTone } from '../tag.tsx'

const tones: Record<number, TagTone> = { 2: 'green', 3: 'blue', 4: 'orange', 5: 'red' }

/** An HTTP status code. */
export function StatusTag({ code }: { code: number }) {
  return (
    <Tag tone={tones[Math.floor(code / 100)] ?? 'gray'} code>
      {code}
    </Tag>
  )
}
