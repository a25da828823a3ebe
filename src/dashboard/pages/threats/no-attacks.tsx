import { Button, Group } from '@mantine/core'
import { IconShieldSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { AddTraffic } from '../../components/feedback/add-traffic.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ClearFilters } from '../../components/filters.tsx'
import type { useListAddress } from '../../data/list-address.ts'
import { timeWindowChange } from '../../data/time-windows.ts'
import { useRead } from '../../data/use-operation.ts'

/** Whether nothing was ever imported or received, so that there is nothing that filters could inspect. */
function useHasNoTraffic(): boolean {
  const { data } = useRead('getAllCollectionsBasic', {})
  return data?.apiCollections.length === 0
}

interface NoAttacksProps {
  /** Said where there is traffic: what was not found. */
  readonly title: string
  readonly address: ReturnType<typeof useListAddress>
  /** Names in the address of the filters that are set. */
  readonly filters?: readonly string[]
}

/** Nothing suspicious in the chosen time: says whether anything was inspected at all, and where to look instead. */
export function NoAttacks({ title, address, filters = [] }: NoAttacksProps) {
  const hasNoTraffic = useHasNoTraffic()
  const isFiltered = filters.some((name) => address.several(name).length > 0)
  const isAllTime = address.one('days') === '0' && address.one('from') === ''
  if (hasNoTraffic)
    return (
      <Nothing title="No traffic to inspect yet" action={<AddTraffic />}>
        Filters inspect every message. Import a recording or connect live traffic, and attacks appear here.
      </Nothing>
    )
  return (
    <Nothing
      title={title}
      action={
        <Group gap="xs">
          {isFiltered && <ClearFilters change={address.change} names={filters} />}
          {!isAllTime && (
            <Button
              variant="default"
              onClick={() => address.change({ ...timeWindowChange('0'), from: '', to: '' })}
            >
              Show all time
            </Button>
          )}
          <Button component={Link} to="/threats/filters" variant="default">
            See the filters
          </Button>
        </Group>
      }
    >
      {isFiltered
        ? 'Nothing in this time matches every filter of the list.'
        : 'Filters inspect every message as it arrives. See what they detect, or test one on stored traffic.'}
    </Nothing>
  )
}

interface NothingProps {
  readonly title: string
  readonly action: ReactNode
  readonly children: ReactNode
}

function Nothing({ title, action, children }: NothingProps) {
  return (
    <EmptyState icon={<IconShieldSearch size={28} />} title={title} actions={action}>
      {children}
    </EmptyState>
  )
}
