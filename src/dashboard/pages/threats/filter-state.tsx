import { Switch } from '@mantine/core'
import type { FilterState } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { Tag, type TagTone } from '../../components/tag.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { useOwnUser } from '../../data/use-own-user.ts'

const looks: Readonly<Record<FilterState, { word: string; tone: TagTone }>> = {
  ON: { word: 'On', tone: 'green' },
  OFF: { word: 'Off', tone: 'gray' },
  DRAFT: { word: 'Draft', tone: 'blue' },
}

/** States as choices of a filter. */
export const filterStateChoices = Object.entries(looks).map(([value, { word }]) => ({ value, label: word }))

/** Whether a filter inspects traffic, and for administrators the switch. */
export function FilterStateSwitch({ id, name, state }: { id: string; name: string; state: FilterState }) {
  const isAdmin = useOwnUser()?.role === 'ADMIN'
  const change = useWrite('setFilterState', ['fetchFilterYamlTemplate'])
  const { word, tone } = looks[state]
  if (!isAdmin) return <Tag tone={tone}>{word}</Tag>
  return (
    <Switch
      size="sm"
      checked={state === 'ON'}
      label={word}
      aria-label={`Inspect traffic with ${name}`}
      disabled={change.isPending}
      onChange={({ currentTarget: { checked } }) =>
        change.mutate({ templateIds: [id], state: checked ? 'ON' : 'OFF' }, { onError: notifyFailure })
      }
    />
  )
}
