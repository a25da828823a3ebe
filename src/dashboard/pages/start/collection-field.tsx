import { Autocomplete } from '@mantine/core'

interface CollectionFieldProps {
  readonly value: string
  readonly onChange: (name: string) => void
  /** Names of the collections that take imports. */
  readonly names: readonly string[]
  readonly description: string
}

/** Name of the collection that receives an import: an old one or a new one. */
export function CollectionField({ value, onChange, names, description }: CollectionFieldProps) {
  return (
    <Autocomplete
      label="Collection"
      description={description}
      placeholder="optional"
      data={[...names]}
      value={value}
      onChange={onChange}
      maxLength={60}
      maw={420}
    />
  )
}
