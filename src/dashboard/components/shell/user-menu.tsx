import { Menu, Text, UnstyledButton } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { session, useSessionState } from '../../session/use-session.ts'
import classes from './shell.module.css'

/** Who is signed in, and the way out. */
export function UserMenu() {
  const state = useSessionState()
  const queries = useQueryClient()
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
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes['account']} aria-label={`Account ${login}`}>
          <IconUser size={18} aria-hidden />
          <Text span size="sm" visibleFrom="xs">
            {login}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
