import { Group } from '@mantine/core'
import { runStates, runTypes, severities } from '../../../contract/browser.ts'
import { ClearFilters, OneFilter, SeveralFilter } from '../../components/filters.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Tag } from '../../components/tag.tsx'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import type { useListAddress } from '../../data/list-address.ts'
import { runFilterNames } from './run-query.ts'

interface RunFiltersProps {
  readonly address: ReturnType<typeof useListAddress>
  readonly filtered: boolean
  readonly collections: readonly { value: string; label: string }[]
}

const states = runStates.map((state) => ({
  value: state,
  label: state.charAt(0) + state.slice(1).toLowerCase(),
}))
const found = severities.map((severity) => ({ value: severity, label: severityWord(severity) }))
const typeWords: Record<(typeof runTypes)[number], string> = {
  ONE_TIME: 'Once',
  RECURRING: 'Recurring',
  CI_CD: 'From builds',
  CONTINUOUS_TESTING: 'Continuous',
}
const types = runTypes.map((type) => ({ value: type, label: typeWords[type] }))

/** Filters of the list of runs; all of them live in the address. */
export function RunFilters({ address, filtered, collections }: RunFiltersProps) {
  const { one, change } = address
  const since = Number(one('since')) || 0
  return (
    <Group p="sm" gap="xs">
      <SearchField label="Search runs by name" value={one('q')} onSearch={(q) => change({ q })} />
      <SeveralFilter address={address} name="state" label="State" data={states} />
      <SeveralFilter address={address} name="severity" label="Findings" data={found} />
      <SeveralFilter address={address} name="collection" label="Collection" data={collections} width={150} />
      <OneFilter address={address} name="type" label="Repeats" data={types} />
      {since > 0 && <Tag tone="blue">Since {exactTime(since)}</Tag>}
      {filtered && <ClearFilters change={change} names={runFilterNames} />}
    </Group>
  )
}
