import { Button, MultiSelect, Select } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import type { useListAddress } from '../data/list-address.ts'
import { usePageText } from '../i18n/use-page-text.ts'

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
  const t = usePageText()
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
      clearButtonProps={{ 'aria-label': t('filter.clear', { label }) }}
    />
  )
}

/** A filter of which one value at most is chosen, kept in the address. */
export function OneFilter({ address, name, label, data, width = 130 }: FilterProps) {
  const t = usePageText()
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
      clearButtonProps={{ 'aria-label': t('filter.clear', { label }) }}
    />
  )
}

interface ClearFiltersProps {
  readonly change: ReturnType<typeof useListAddress>['change']
  /** Names in the address of all filters of the list. */
  readonly names: readonly string[]
}

/** Takes all filters of a list back; to be shown when one is set. */
export function ClearFilters({ change, names }: ClearFiltersProps) {
  const t = usePageText()
  return (
    <Button
      size="xs"
      variant="subtle"
      leftSection={<IconFilterOff size={14} />}
      onClick={() => change(Object.fromEntries(names.map((name) => [name, ''])))}
    >
      {t('filter.clearAll')}
    </Button>
  )
}
