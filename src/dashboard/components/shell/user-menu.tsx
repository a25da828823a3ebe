import { Menu, Text, UnstyledButton } from '@mantine/core'
import { IconBook2, IconKey, IconLogout, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { session, useSessionState } from '../../session/use-session.ts'
import { PasswordDialog } from './password-dialog.tsx'
import classes from './shell.module.css'

/** Who is signed in, the password, the reference of the API, and the way out. */
export function UserMenu() {
  const state = useSessionState()
  const queries = useQueryClient()
  const [changing, setChanging] = useState(false)
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
      {changing && <PasswordDialog onClose={() => setChanging(false)} returnTo={button} />}
    </>
  )
}
