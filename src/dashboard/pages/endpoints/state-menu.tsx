import { Button, Group, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconEyeOff, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { EndpointOverview } from '../../../contract/browser.ts'
import { careReads } from '../../components/endpoint/endpoint-states.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'

type State = EndpointOverview['state']

interface StateMenuProps {
  readonly chosen: readonly EndpointOverview[]
  readonly onDone: () => void
}

const done: Readonly<Record<State, string>> = {
  ACTIVE: 'tested and listed again',
  DEACTIVATED: 'left out of test runs',
  IGNORED: 'left out of lists and test runs',
}

/** Deactivates, ignores or activates endpoints, with a way back. */
export function StateMenu({ chosen, onDone }: StateMenuProps) {
  const update = useWrite('updateEndpoints', careReads)
  const set = async (endpoints: readonly EndpointOverview[], state: State): Promise<boolean> => {
    try {
      await update.mutateAsync({ apiList: endpoints.map(({ id }) => id), state })
      return true
    } catch (error) {
      notifyFailure(error as Error)
      return false
    }
  }
  const change = async (state: State) => {
    const before = Map.groupBy(chosen, (endpoint) => endpoint.state)
    if (!(await set(chosen, state))) return
    const id = notifications.show({
      autoClose: 12_000,
      message: (
        <Group gap="sm" justify="space-between">
          <Text size="sm">
            {countOf(chosen.length, 'endpoint')} {done[state]}.
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              notifications.hide(id)
              for (const [earlier, endpoints] of before) void set(endpoints, earlier)
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    })
    onDone()
  }
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="default" loading={update.isPending}>
          State
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => void change('DEACTIVATED')}>
          Deactivate: leave out of test runs
        </Menu.Item>
        <Menu.Item leftSection={<IconEyeOff size={16} />} onClick={() => void change('IGNORED')}>
          Ignore: leave out of lists as well
        </Menu.Item>
        <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => void change('ACTIVE')}>
          Activate
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
