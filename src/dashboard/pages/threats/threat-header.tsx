import { Button, Group, Select } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionTabs } from '../../components/section-tabs.tsx'
import { timeRange } from '../../components/time-ago.tsx'
import { timeWindowChange, timeWindows } from '../../data/time-windows.ts'
import { useThreatWindow } from './threat-window.ts'

const views = [
  { to: '/threats', label: 'Activity' },
  { to: '/threats/events', label: 'Events' },
  { to: '/threats/actors', label: 'Actors' },
  { to: '/threats/apis', label: 'Endpoints' },
  { to: '/threats/filters', label: 'Filters' },
] as const

interface ThreatHeaderProps {
  readonly title: string
  readonly description: string
  /** Offers the time that is looked back on. */
  readonly withWindow?: boolean
  readonly actions?: ReactNode
}

/** Head of the pages about threats: their views, and the time that they look back on. */
export function ThreatHeader({ title, description, withWindow = true, actions }: ThreatHeaderProps) {
  const { address, days, start, end } = useThreatWindow()
  const isChosen = address.one('from') !== ''
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <Group gap="xs">
            {withWindow && (
              <Select
                aria-label="Time"
                w={isChosen ? 400 : 150}
                maw="100%"
                data={
                  isChosen
                    ? [...timeWindows, { value: 'chosen', label: timeRange(start, end) }]
                    : [...timeWindows]
                }
                value={isChosen ? 'chosen' : days}
                allowDeselect={false}
                onChange={(value) => {
                  if (value !== 'chosen') address.change({ ...timeWindowChange(value), from: '', to: '' })
                }}
              />
            )}
            <Button
              component={Link}
              to="/settings/threats"
              variant="default"
              leftSection={<IconSettings size={16} />}
            >
              Threat settings
            </Button>
            {actions}
          </Group>
        }
      />
      <SectionTabs label="Threats" pages={views} query={days === '7' ? '' : `?days=${days}`} />
    </>
  )
}
