import { MultiSelect, Select } from '@mantine/core'
import type { useListAddress } from '../../data/list-address.ts'

interface FilterProps<Data> {
  readonly address: ReturnType<typeof useListAddress>
  /** Name in the address. */
  readonly name: string
  readonly label: string
  readonly data: Data
}

/** A filter whose values are alternatives. Words of the address that are not offered are kept as they are. */
export function WordsFilter(
  props: FilterProps<readonly string[]> & {
    readonly width: number
    readonly word?: ((value: string) => string) | undefined
  },
) {
  const { address, name, label, data, width, word } = props
  const values = address.several(name)
  return (
    <MultiSelect
      size="xs"
      w={values.length === 0 ? width : undefined}
      miw={width}
      aria-label={label}
      placeholder={values.length === 0 ? label : undefined}
      data={[...new Set([...data, ...values])].map((value) => ({ value, label: word?.(value) ?? value }))}
      value={values}
      onChange={(next) => address.change({ [name]: next })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  )
}

/** A filter of which one value at most is chosen. */
export function ChoiceFilter(props: FilterProps<readonly { value: string; label: string }[]>) {
  const { address, name, label, data } = props
  return (
    <Select
      size="xs"
      w={address.one(name) === '' ? 118 : 160}
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
