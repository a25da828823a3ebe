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
import { type PlainKey, t } from '../../i18n/translate.ts'

interface Group {
  readonly title: PlainKey | null
  readonly entries: readonly {
    readonly to: string
    readonly label: PlainKey
    readonly Icon: typeof IconApi
  }[]
}

/** The sections of the dashboard by what people do in them; the first group needs no title. */
const groups: readonly Group[] = [
  { title: null, entries: [{ to: '/', label: 'nav.overview', Icon: IconHome }] },
  {
    title: 'nav.discover',
    entries: [
      { to: '/apis', label: 'nav.inventory', Icon: IconApi },
      { to: '/crawls', label: 'nav.crawls', Icon: IconSpiral },
    ],
  },
  {
    title: 'nav.test',
    entries: [
      { to: '/issues', label: 'nav.issues', Icon: IconBug },
      { to: '/runs', label: 'nav.runs', Icon: IconTestPipe },
      { to: '/library', label: 'nav.library', Icon: IconFlask },
      { to: '/reports', label: 'nav.reports', Icon: IconFileText },
    ],
  },
  { title: 'nav.watch', entries: [{ to: '/threats', label: 'nav.threats', Icon: IconRadar2 }] },
  { title: 'nav.setUp', entries: [{ to: '/settings', label: 'nav.settings', Icon: IconSettings }] },
]

/** Whether a page belongs to the section at `to`. */
function isWithin(pathname: string, to: string): boolean {
  return pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
}

/** Links to the sections. */
export function Navigation() {
  const { pathname } = useLocation()
  return (
    <nav aria-label={t('shell.pages')}>
      {groups.map(({ title, entries }) => (
        <div key={title ?? ''}>
          {title !== null && (
            <Text size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={2}>
              {t(title)}
            </Text>
          )}
          {entries.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={t(label)}
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
