import { NavLink } from '@mantine/core'
import {
  IconApi,
  IconBell,
  IconBook2,
  IconBug,
  IconFileText,
  IconFlask,
  IconFolders,
  IconHome,
  IconKey,
  IconPlus,
  IconRadar2,
  IconShieldCog,
  IconSpiral,
  IconTestPipe,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'

const entries = [
  { to: '/', label: 'Overview', Icon: IconHome },
  { to: '/apis', label: 'Collections', Icon: IconFolders },
  { to: '/apis/all', label: 'All endpoints', Icon: IconApi },
  { to: '/crawls', label: 'Crawls', Icon: IconSpiral },
  { to: '/runs', label: 'Test runs', Icon: IconTestPipe },
  { to: '/issues', label: 'Issues', Icon: IconBug },
  { to: '/library', label: 'Test library', Icon: IconFlask },
  { to: '/threats', label: 'Threats', Icon: IconRadar2 },
  { to: '/reports', label: 'Reports', Icon: IconFileText },
  { to: '/start', label: 'Add traffic', Icon: IconPlus },
  { to: '/settings/roles', label: 'Roles', Icon: IconUserShield },
  { to: '/settings/alerts', label: 'Alerts', Icon: IconBell },
  { to: '/settings/threats', label: 'Threat settings', Icon: IconShieldCog },
  { to: '/settings/keys', label: 'API keys', Icon: IconKey },
  { to: '/settings/team', label: 'Team', Icon: IconUsers },
] as const

/** The longest entry whose address the page's address starts with. */
function entryOf(pathname: string): string | undefined {
  return entries
    .map((entry) => entry.to)
    .filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .sort((a, b) => b.length - a.length)[0]
}

/** Links to the pages. */
export function Navigation() {
  const current = entryOf(useLocation().pathname)
  return (
    <nav aria-label="Pages">
      {entries.map(({ to, label, Icon }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          leftSection={<Icon size={18} aria-hidden />}
          active={to === current}
          aria-current={to === current ? 'page' : undefined}
          py={7}
        />
      ))}
      <NavLink
        href="/dashboard/reference"
        target="_blank"
        rel="noreferrer"
        label="Reference"
        leftSection={<IconBook2 size={18} aria-hidden />}
        py={7}
      />
    </nav>
  )
}
