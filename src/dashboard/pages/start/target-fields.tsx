import { Autocomplete, Group, TextInput } from '@mantine/core'
import type { ImportTarget } from './use-imports.ts'

interface TargetFieldsProps {
  readonly value: ImportTarget
  readonly onChange: (target: ImportTarget) => void
  /** Names of the collections that take imports. */
  readonly names: readonly string[]
  /** What becomes of an import without a collection name. */
  readonly withoutName: string
}

/** Where an import goes: the collection, an old one or a new one, and the address of the API that it describes. */
export function TargetFields({ value, onChange, names, withoutName }: TargetFieldsProps) {
  return (
    <Group align="flex-end" gap="md">
      <Autocomplete
        label="Collection"
        description={withoutName}
        placeholder="optional"
        data={[...names]}
        value={value.collectionName}
        onChange={(collectionName) => onChange({ ...value, collectionName })}
        maxLength={60}
        w={420}
        maw="100%"
      />
      <TextInput
        label="Base URL"
        description="For a GraphQL schema, .proto file, log or document without servers."
        placeholder="optional, such as https://shop.example/graphql"
        inputMode="url"
        value={value.baseUrl}
        onChange={(event) => onChange({ ...value, baseUrl: event.currentTarget.value })}
        maxLength={2000}
        w={420}
        maw="100%"
      />
      <TextInput
        label="Log fields"
        description="For a JSON access log whose names Vigil does not know."
        placeholder="optional, such as method=verb,url=target"
        value={value.fields}
        onChange={(event) => onChange({ ...value, fields: event.currentTarget.value })}
        maxLength={1000}
        w={420}
        maw="100%"
      />
    </Group>
  )
}

/** A target that names nothing. */
export const NO_TARGET: ImportTarget = { collectionName: '', baseUrl: '', fields: '' }

/** A target as it is sent. */
export function trimmed({ collectionName, baseUrl, fields }: ImportTarget): ImportTarget {
  return { collectionName: collectionName.trim(), baseUrl: baseUrl.trim(), fields: fields.trim() }
}
