import { Menu, Text, UnstyledButton } from '@mantine/core'
import {
  IconBook2,
  IconClock,
  IconHelp,
  IconKey,
  IconLogout,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { session, useSessionState } from '../../session/use-session.ts'
import { PasswordDialog } from './password-dialog.tsx'
import classes from './shell.module.css'
import { TimeZoneDialog } from './time-zone-dialog.tsx'

// QR codes are drawn by a library that no other page needs.
const SecondFactorDialog = lazy(() => import('./second-factor-dialog.tsx'))

/** Who is signed in, the password, the reference of the API, and the way out. */
export function UserMenu() {
  const state = useSessionState()
  const queries = useQueryClient()
  const [changing, setChanging] = useState(false)
  const [securing, setSecuring] = useState(false)
  const [zoning, setZoning] = useState(false)
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
          <UnstyledButton ref={button} className={classes['account']} aria-label={`Account ${login}`}>
            <IconUser size={18} aria-hidden />
            <Text span size="sm" visibleFrom="xs">
              {login}
            </Text>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setChanging(true)}>
            Change password
          </Menu.Item>
          <Menu.Item leftSection={<IconShieldLock size={16} />} onClick={() => setSecuring(true)}>
            Two-step sign-in
          </Menu.Item>
          <Menu.Item leftSection={<IconClock size={16} />} onClick={() => setZoning(true)}>
            Time zone
          </Menu.Item>
          <Menu.Item
            component="a"
            href="/docs/"
            target="_blank"
            rel="noreferrer"
            leftSection={<IconHelp size={16} />}
          >
            Documentation
          </Menu.Item>
          <Menu.Item
            component="a"
            href="/dashboard/reference"
            target="_blank"
            rel="noreferrer"
            leftSection={<IconBook2 size={16} />}
          >
            API reference
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {securing && (
        <Suspense fallback={null}>
          <SecondFactorDialog onClose={() => setSecuring(false)} returnTo={button} />
        </Suspense>
      )}
      {zoning && <TimeZoneDialog onClose={() => setZoning(false)} returnTo={button} />}
      {changing && <PasswordDialog onClose={() => setChanging(false)} returnTo={button} />}
    </>
  )
}
