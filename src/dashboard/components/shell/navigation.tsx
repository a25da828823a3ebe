import { NavLink, Text } from '@mantine/core'
import {
  IconApi,
  IconBug,
  IconFileText,
  IconFlask,
  IconHome,
  IconRadar2,
  IconSettings,
  IconSpiral,
  IconTestPipe,
} from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'

/** The sections of the dashboard by what people do in them; the first group needs no title. */
const groups = [
  { title: null, entries: [{ to: '/', label: 'Overview', Icon: IconHome }] },
  {
    title: 'Discover',
    entries: [
      { to: '/apis', label: 'Inventory', Icon: IconApi },
      { to: '/crawls', label: 'Crawls', Icon: IconSpiral },
    ],
  },
  {
    title: 'Test',
    entries: [
      { to: '/issues', label: 'Issues', Icon: IconBug },
      { to: '/runs', label: 'Test runs', Icon: IconTestPipe },
      { to: '/library', label: 'Test library', Icon: IconFlask },
      { to: '/reports', label: 'Reports', Icon: IconFileText },
    ],
  },
  { title: 'Watch', entries: [{ to: '/threats', label: 'Threats', Icon: IconRadar2 }] },
  { title: 'Set up', entries: [{ to: '/settings', label: 'Settings', Icon: IconSettings }] },
] as const

/** Whether a page belongs to the section at `to`. */
function isWithin(pathname: string, to: string): boolean {
  return pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
}

/** Links to the sections. */
export function Navigation() {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Pages">
      {groups.map(({ title, entries }) => (
        <div key={title ?? ''}>
          {title !== null && (
            <Text size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={2}>
              {title}
            </Text>
          )}
          {entries.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              leftSection={<Icon size={18} aria-hidden />}
              active={isWithin(pathname, to)}
              aria-current={isWithin(pathname, to) ? 'page' : undefined}
              py={7}
            />
          ))}
        </div>
      ))}
    </nav>
  )
}
