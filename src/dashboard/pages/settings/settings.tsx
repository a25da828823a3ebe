import { Outlet } from 'react-router'
import { SectionTabs } from '../../components/section-tabs.tsx'

const pages = [
  { to: '/settings/roles', label: 'Roles' },
  { to: '/settings/alerts', label: 'Alerts' },
  { to: '/settings/threats', label: 'Threat detection' },
  { to: '/settings/keys', label: 'API keys' },
  { to: '/settings/team', label: 'Team' },
  { to: '/settings/audit', label: 'Audit log' },
  { to: '/settings/status', label: 'Status' },
] as const

/** Frame of every page of settings: one tab each. */
export default function Settings() {
  return (
    <>
      <SectionTabs label="Settings" pages={pages} />
      <Outlet />
    </>
  )
}
