import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'

/** People whom an issue can be assigned to, as choices; none for readers, who may not list them. */
export function usePeople(): { value: string; label: string }[] {
  const enabled = useMayWrite()
  const users = useRead('getTeamData', {}, { enabled }).data?.users ?? []
  return users.map(({ login }) => ({ value: login, label: login }))
}
