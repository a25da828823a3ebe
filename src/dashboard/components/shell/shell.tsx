import { AppShell, Burger, Button, Group, Image, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useEffect } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { useLiveConnection } from '../../data/live/use-live.ts'
import { languageOfPage } from '../../i18n/language.ts'
import { PageLanguage } from '../../i18n/page-language.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorBoundary } from '../feedback/error-boundary.tsx'
import { TableSkeleton } from '../feedback/table-skeleton.tsx'
import { Shortcuts } from '../palette/shortcuts.tsx'
import { LiveMark } from './live-mark.tsx'
import { Navigation } from './navigation.tsx'
import { OrganisationName } from './organisation-name.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'
import { ServerBanner } from './server-banner.tsx'
import classes from './shell.module.css'
import { useKeptFocus } from './use-kept-focus.ts'
import { usePageStart } from './use-page-start.ts'
import { useVisitMark } from './use-visit-mark.ts'
import { UserMenu } from './user-menu.tsx'

/** Frame of every page after sign-in: head, navigation, and the page itself. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const language = languageOfPage(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of narrow screens closes when the page changes
  useEffect(close, [pathname])
  usePageStart(pathname, 'content')
  useKeptFocus('content')
  useVisitMark(pathname)
  useLiveConnection()
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 196, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className={classes['skip']} href="#content">
        {t('shell.skip')}
      </a>
      <AppShell.Header px="md" className={classes['head']}>
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={t('shell.navigation')}
          />
          <UnstyledButton component={Link} to="/" aria-label={t('shell.home')}>
            <Group gap={8} wrap="nowrap">
              <Image src="/vigil.svg" alt="" w={26} h={26} />
              <Text fw={700} visibleFrom="xs">
                Vigil
              </Text>
            </Group>
          </UnstyledButton>
          <OrganisationName />
        </Group>
        <Group gap={4} wrap="nowrap">
          <LiveMark />
          <Button
            component={Link}
            to="/start"
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            mr={4}
          >
            {t('shell.addTraffic')}
          </Button>
          <Shortcuts />
          <SchemeToggle />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes['main']}>
        <ServerBanner />
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<TableSkeleton label={t('shell.loadingPage')} />}>
            <PageLanguage value={language}>
              <div className={classes['page']} lang={language}>
                <Outlet />
              </div>
            </PageLanguage>
          </Suspense>
        </ErrorBoundary>
      </AppShell.Main>
    </AppShell>
  )
}
