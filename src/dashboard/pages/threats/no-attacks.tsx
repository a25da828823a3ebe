import { Button, Group } from '@mantine/core'
import { IconShieldSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { AddTraffic } from '../../components/feedback/add-traffic.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters } from '../../components/filters.tsx'
import type { useListAddress } from '../../data/list-address.ts'
import { timeWindowChange } from '../../data/time-windows.ts'
import { useRead } from '../../data/use-operation.ts'

/** Whether no collection of the installation ever had a message; false where the caller may not know, null until it is known. */
function useHasNoTraffic(): boolean | null {
  const isNone = (status: ReturnType<typeof useRead<'fetchSystemStatus'>>['data']): boolean =>
    status?.traffic.lastMessageAt === 0
  const { data, isPending } = useRead(
    'fetchSystemStatus',
    {},
    { refreshEvery: (status) => (isNone(status) ? 15_000 : false) },
  )
  return isPending ? null : isNone(data)
}

interface NoAttacksProps {
  /** Said where there is traffic: what was not found. */
  readonly title: string
  readonly address: ReturnType<typeof useListAddress>
  /** Names in the address of the filters that are set. */
  readonly filters?: readonly string[]
}

/** No event in the chosen time: says whether there is any traffic, and where to look instead. */
export function NoAttacks({ title, address, filters = [] }: NoAttacksProps) {
  const hasNoTraffic = useHasNoTraffic()
  const isFiltered = filters.some((name) => address.several(name).length > 0)
  const isAllTime = address.one('days') === '0' && address.one('from') === ''
  if (hasNoTraffic === null) return <TableSkeleton />
  if (hasNoTraffic)
    return (
      <Nothing title="No traffic in the inventory yet" action={<AddTraffic />}>
        Import a recording or connect live traffic. Attacks that filters detect in it appear here.
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
        : 'While threat detection is on, active filters inspect messages as they arrive. See what they detect, or test one on stored traffic.'}
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
