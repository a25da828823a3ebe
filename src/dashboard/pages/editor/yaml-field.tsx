import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Schema } from '../../components/yaml/schema.ts'

// The editor is some 100 kB compressed, and only two pages have it.
const YamlEditor = lazy(() => import('../../components/yaml/yaml-editor.tsx'))

/** Addresses of the schemas that the server has for editors. */
const schemaPaths = { test: '/template-schema.json', filter: '/filter-schema.json' } as const

async function fetchSchema(path: string, signal: AbortSignal): Promise<Schema> {
  const answer = await fetch(path, { signal })
  if (!answer.ok) throw new Error(`The schema cannot be read (status ${answer.status})`)
  return (await answer.json()) as Schema
}

interface YamlFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Line with an error, from 1. */
  readonly wrongLine: number | null
  /** What is wrong with it. */
  readonly wrongText?: string
  /** What the text is, for its accessible name. */
  readonly label?: string
  /** None: it is not checked, and nothing is completed. */
  readonly language?: keyof typeof schemaPaths | 'none'
}

/** A field for YAML; its help comes from the schema of the language, and it works without it, too. */
export function YamlField(props: YamlFieldProps) {
  const { text, onChange, wrongLine, wrongText = '', label = 'The test in YAML', language = 'test' } = props
  const path = language === 'none' ? '' : schemaPaths[language]
  const { data: schema = null, error } = useQuery({
    queryKey: ['schema', path],
    queryFn: ({ signal }) => fetchSchema(path, signal),
    enabled: path !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div>
      <Suspense fallback={<Skeleton height={460} />}>
        <YamlEditor
          text={text}
          onChange={onChange}
          label={label}
          schema={schema}
          wrongLine={wrongLine}
          wrongText={wrongText}
        />
      </Suspense>
      <Text size="xs" c="dimmed" mt={4}>
        {error
          ? 'Completion and help are not available: the schema cannot be read.'
          : path === ''
            ? 'Tab leaves the editor.'
            : 'Ctrl-Space completes, hovering over a key explains it, Tab leaves the editor.'}
      </Text>
    </div>
  )
}
