import { SectionTabs } from '../../components/section-tabs.tsx'

const pages = [
  { to: '/runs', label: 'Runs' },
  { to: '/runs/coverage', label: 'Coverage' },
  { to: '/runs/access', label: 'Access matrix' },
] as const

/** The pages about testing: runs, what they covered, and who reaches what. */
export function RunsTabs() {
  return <SectionTabs label="Testing" pages={pages} />
}
