import { Tag, type TagTone } from '../tag.tsx'

const tones: Record<string, TagTone> = {
  GET: 'blue',
  POST: 'green',
  PUT: 'orange',
  PATCH: 'violet',
  DELETE: 'red',
}

/** The HTTP method of an endpoint. */
export function MethodTag({ method }: { method: string }) {
  return (
    <Tag tone={Object.hasOwn(tones, method) ? tones[method] : 'gray'} code>
      {method}
    </Tag>
  )
}
