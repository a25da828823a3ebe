import { Menu, Text, UnstyledButton } from '@mantine/core'
import {
  IconAdjustmentsHorizontal,
  IconBook2,
  IconHelp,
  IconKey,
  IconLogout,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { t } from '../../i18n/translate.ts'
import { session, useSessionState } from '../../session/use-session.ts'
import { PasswordDialog } from './password-dialog.tsx'
import classes from './shell.module.css'

// QR codes are drawn by a library that no other page needs.
const SecondFactorDialog = lazy(() => import('./second-factor-dialog.tsx'))

/** Who is signed in, the password, the reference of the API, and the way out. */
export function UserMenu() {
  const state = useSessionState()
  const queries = useQueryClient()
  const [changing, setChanging] = useState(false)
  const [securing, setSecuring] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const login = state.phase === 'signed-in' ? state.login : ''
  const signOut = async () => {
    try {
      await session.signOut()
      queries.clear()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <UnstyledButton
            ref={button}
            className={classes['account']}
            aria-label={t('account.label', { login })}
          >
            <IconUser size={18} aria-hidden />
            <Text span size="sm" visibleFrom="xs">
              {login}
            </Text>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setChanging(true)}>
            {t('account.password')}
          </Menu.Item>
          <Menu.Item leftSection={<IconShieldLock size={16} />} onClick={() => setSecuring(true)}>
            {t('account.secondFactor')}
          </Menu.Item>
          <Menu.Item
            component={Link}
            to="/settings/preferences"
            leftSection={<IconAdjustmentsHorizontal size={16} />}
          >
            {t('account.preferences')}
          </Menu.Item>
          <Menu.Item
            component="a"
            href="/docs/"
            target="_blank"
            rel="noreferrer"
            leftSection={<IconHelp size={16} />}
          >
            {t('account.documentation')}
          </Menu.Item>
          <Menu.Item component={Link} to="/api-reference" leftSection={<IconBook2 size={16} />}>
            {t('account.reference')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
            {t('account.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {securing && (
        <Suspense fallback={null}>
          <SecondFactorDialog onClose={() => setSecuring(false)} returnTo={button} />
        </Suspense>
      )}
      {changing && <PasswordDialog onClose={() => setChanging(false)} returnTo={button} />}
    </>
  )
}
