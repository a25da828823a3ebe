import { Button, Collapse, Group } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { testStates } from '../../../contract/browser.ts'
import { accessWord, apiTypeWord, authWord } from '../../components/endpoint/endpoint-words.ts'
import { testStateWord } from '../../components/endpoint/test-state-words.ts'
import { ClearFilters, SeveralFilter } from '../../components/filters.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import type { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { filterNames, NOBODY } from './endpoint-query.ts'
import { ChoiceFilter, WordsFilter } from './filter.tsx'
import { accessTypes, apiTypes, authTypes, methods } from './filter-choices.ts'

interface FilterBarProps {
  readonly address: ReturnType<typeof useListAddress>
  readonly filtered: boolean
}

const yesOrNo = {
  sensitive: [
    { value: 'yes', label: 'Sensitive responses' },
    { value: 'no', label: 'Nothing sensitive' },
  ],
  documented: [
    { value: 'yes', label: 'In a specification' },
    { value: 'no', label: 'Undocumented' },
  ],
  called: [
    { value: 'yes', label: 'Called' },
    { value: 'no', label: 'Never called' },
  ],
}

const tested = testStates.map((value) => ({ value, label: testStateWord(value) }))

const discovered = [
  { value: 'day', label: 'Within a day' },
  { value: 'week', label: 'Within a week' },
  { value: 'month', label: 'Within a month' },
]

const constants = [
  { name: 'method', label: 'Method', data: methods, width: 112 },
  { name: 'auth', label: 'Authentication', data: authTypes, width: 150, word: authWord },
  { name: 'access', label: 'Access', data: accessTypes, width: 112, word: accessWord },
  { name: 'api', label: 'API type', data: apiTypes, width: 112, word: apiTypeWord },
]

const quiet = [
  { value: 'week', label: 'None for a week' },
  { value: 'month', label: 'None for a month' },
]

const states = [
  { value: 'deactivated', label: 'Deactivated' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'all', label: 'All, ignored too' },
]

/** Filters by what people said of endpoints; tags and owners are offered once there are some. */
function SaidFilters({ address }: Pick<FilterBarProps, 'address'>) {
  const { data } = useRead('fetchEndpointTags', {})
  const tags = data?.tags.map(({ name }) => name) ?? []
  const owners = (data?.owners ?? []).map(({ name }) => ({ value: name, label: name }))
  return (
    <>
      {(tags.length > 0 || address.one('tag') !== '') && (
        <WordsFilter address={address} name="tag" label="Tag" data={tags} width={112} />
      )}
      {(owners.length > 0 || address.one('owner') !== '') && (
        <SeveralFilter
          address={address}
          name="owner"
          label="Owner"
          data={[...owners, { value: NOBODY, label: 'Nobody' }]}
          width={112}
        />
      )}
      <ChoiceFilter address={address} name="state" label="State" data={states} />
    </>
  )
}

/** Filters of the list of endpoints. All of them live in the address; narrow screens fold them away. */
export function FilterBar({ address, filtered }: FilterBarProps) {
  const { one, change } = address
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [opened, { toggle }] = useDisclosure(filtered)
  const age = one('new')
  // The overview links to the endpoints since a moment.
  const ages = /^\d+$/.test(age)
    ? [...discovered, { value: age, label: `Since ${exactTime(Number(age))}` }]
    : discovered
  const types = useRead('fetchDataTypes', {}).data?.dataTypes.map((type) => type.name) ?? []
  return (
    <Group p="sm" gap="xs">
      <SearchField label="Search paths" value={one('q')} onSearch={(text) => change({ q: text })} />
      {isNarrow && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          aria-expanded={opened}
          onClick={toggle}
        >
          Filters
        </Button>
      )}
      <Collapse expanded={!isNarrow || opened} display={isNarrow ? undefined : 'contents'}>
        <Group gap="xs" display={isNarrow ? undefined : 'contents'}>
          {constants.map((filter) => (
            <WordsFilter key={filter.name} address={address} {...filter} />
          ))}
          <WordsFilter address={address} name="type" label="Data type" data={types} width={140} />
          <ChoiceFilter address={address} name="sensitive" label="Sensitive" data={yesOrNo.sensitive} />
          <ChoiceFilter address={address} name="new" label="Discovered" data={ages} />
          <ChoiceFilter address={address} name="tested" label="Tested" data={tested} />
          <ChoiceFilter address={address} name="documented" label="Described" data={yesOrNo.documented} />
          <ChoiceFilter address={address} name="called" label="Calls" data={yesOrNo.called} />
          <ChoiceFilter address={address} name="quiet" label="Last call" data={quiet} />
          <SaidFilters address={address} />
        </Group>
      </Collapse>
      {filtered && <ClearFilters change={change} names={filterNames} />}
    </Group>
  )
}
