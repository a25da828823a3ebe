import { Group, Switch, Text } from '@mantine/core'
import { useMayWrite } from '../../data/use-own-user.ts'

/** Shows masked values to those who may see them; the server logs each request for them. */
export function RevealSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const mayReveal = useMayWrite()
  return (
    <Group gap="sm">
      {mayReveal && (
        <Switch
          size="sm"
          label="Reveal masked values"
          checked={isOn}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
      <Text size="sm" c="dimmed">
        {mayReveal
          ? 'Credentials and sensitive values are masked. Each reveal is logged.'
          : 'Credentials and sensitive values are masked. Members and administrators can reveal them.'}
      </Text>
    </Group>
  )
}
