import { Button, Group, MultiSelect, Select } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { SearchField } from '../../components/search-field.tsx'
import type { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { filterNames } from './endpoint-query.ts'
import { accessTypes, apiTypes, authTypes, methods } from './filter-choices.ts'

interface FilterBarProps {
  readonly address: ReturnType<typeof useListAddress>
  readonly filtered: boolean
}

/** Filters of the list of endpoints. All of them live in the address. */
export function FilterBar({ address, filtered }: FilterBarProps) {
  const { one, several, change } = address
  const types = useRead('fetchDataTypes', {}).data?.dataTypes.map((type) => type.name) ?? []
  const severalOf = (name: string, label: string, data: readonly string[], width: number) => (
    <MultiSelect
      size="xs"
      w={width}
      aria-label={label}
      placeholder={several(name).length === 0 ? label : undefined}
      data={[...new Set([...data, ...several(name)])]}
      value={several(name)}
      onChange={(values) => change({ [name]: values })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  )
  const oneOf = (name: string, label: string, data: { value: string; label: string }[]) => (
    <Select
      size="xs"
      w={150}
      aria-label={label}
      placeholder={label}
      data={data}
      value={one(name) || null}
      onChange={(value) => change({ [name]: value ?? '' })}
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  )
  return (
    <Group p="sm" gap="xs" align="flex-start">
      <SearchField label="Search paths" value={one('q')} onSearch={(text) => change({ q: text })} />
      {severalOf('method', 'Method', methods, 120)}
      {severalOf('auth', 'Authentication', authTypes, 160)}
      {severalOf('access', 'Access', accessTypes, 130)}
      {severalOf('type', 'Data type', types, 150)}
      {severalOf('api', 'API type', apiTypes, 120)}
      {oneOf('sensitive', 'Sensitive', [
        { value: 'yes', label: 'Sensitive responses' },
        { value: 'no', label: 'Nothing sensitive' },
      ])}
      {oneOf('new', 'Discovered', [
        { value: 'day', label: 'Within a day' },
        { value: 'week', label: 'Within a week' },
        { value: 'month', label: 'Within a month' },
      ])}
      {oneOf('documented', 'Described', [
        { value: 'yes', label: 'In a specification' },
        { value: 'no', label: 'Undocumented' },
      ])}
      {filtered && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconFilterOff size={14} />}
          onClick={() => change(Object.fromEntries(filterNames.map((name) => [name, ''])))}
        >
          Clear the filters
        </Button>
      )}
    </Group>
  )
}
