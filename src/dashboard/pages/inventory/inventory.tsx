import { Outlet } from 'react-router'
import { SectionTabs } from '../../components/section-tabs.tsx'

const pages = [
  { to: '/apis', label: 'Collections' },
  { to: '/apis/all', label: 'Endpoints' },
  { to: '/apis/sensitive', label: 'Sensitive data' },
  { to: '/apis/changes', label: 'Changes' },
  { to: '/apis/data-types', label: 'Data types' },
] as const

/** Frame of the pages about the inventory as a whole: one tab each. */
export default function Inventory() {
  return (
    <>
      <SectionTabs label="Inventory" pages={pages} />
      <Outlet />
    </>
  )
}
