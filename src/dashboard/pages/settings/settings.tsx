import { Outlet } from 'react-router'
import { SectionTabs } from '../../components/section-tabs.tsx'
import { settings } from '../../i18n/messages/en/settings.ts'
import { addMessages, t } from '../../i18n/translate.ts'

addMessages(settings)

const pages = [
  { to: '/settings/organisation', label: 'page.organisation' },
  { to: '/settings/team', label: 'page.team' },
  { to: '/settings/keys', label: 'page.keys' },
  { to: '/settings/roles', label: 'settings.roles' },
  { to: '/settings/alerts', label: 'page.alerts' },
  { to: '/settings/threats', label: 'settings.threats' },
  { to: '/settings/audit', label: 'page.audit' },
  { to: '/settings/status', label: 'page.status' },
  { to: '/settings/preferences', label: 'account.preferences' },
] as const

/** Frame of every page of settings: one tab each. */
export default function Settings() {
  return (
    <>
      <SectionTabs
        label={t('nav.settings')}
        pages={pages.map(({ to, label }) => ({ to, label: t(label) }))}
      />
      <Outlet />
    </>
  )
}
