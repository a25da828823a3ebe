import { MultiSelect, Select } from '@mantine/core'
import type { useListAddress } from '../data/list-address.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

interface FilterProps {
  readonly address: ReturnType<typeof useListAddress>
  /** Name in the address. */
  readonly name: string
  readonly label: string
  readonly data: readonly Choice[]
  readonly width?: number
}

/** A filter whose values are alternatives, kept in the address. Values that are not offered are kept as they are. */
export function SeveralFilter({ address, name, label, data, width = 130 }: FilterProps) {
  const values = address.several(name)
  const known = new Set(data.map((choice) => choice.value))
  const others = values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))
  return (
    <MultiSelect
      size="xs"
      w={values.length === 0 ? width : undefined}
      miw={width}
      maw="100%"
      aria-label={label}
      placeholder={values.length === 0 ? label : undefined}
      data={[...data, ...others]}
      value={values}
      onChange={(next) => address.change({ [name]: next })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  )
}

/** A filter of which one value at most is chosen, kept in the address. */
export function OneFilter({ address, name, label, data, width = 130 }: FilterProps) {
  return (
    <Select
      size="xs"
      w={width}
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={address.one(name) || null}
      onChange={(value) => address.change({ [name]: value ?? '' })}
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  )
}
