import { Tabs } from '@mantine/core'
import { useLocation, useNavigate } from 'react-router'

interface SectionTabsProps {
  /** Name of the section, for people who do not see it. */
  readonly label: string
  readonly pages: readonly { readonly to: string; readonly label: string }[]
  /** Query that every page of the section shares, such as "?days=30". */
  readonly query?: string
}

/** The pages of one section; the arrow keys move between them and Enter opens one. */
export function SectionTabs({ label, pages, query = '' }: SectionTabsProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <Tabs
      value={pathname}
      onChange={(to) => to && void navigate(to + query)}
      mb="md"
      activateTabWithKeyboard={false}
    >
      <Tabs.List aria-label={label}>
        {pages.map((page) => (
          <Tabs.Tab key={page.to} value={page.to} px="sm" aria-controls="content">
            {page.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
