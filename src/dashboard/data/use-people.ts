import { useRead } from './use-operation.ts'
import { useMayWrite } from './use-own-user.ts'

/** People whom work can be given to, as choices; none for readers, who may not list them. */
export function usePeople(): { value: string; label: string }[] {
  const enabled = useMayWrite()
  const users = useRead('getTeamData', {}, { enabled }).data?.users ?? []
  return users.map(({ login }) => ({ value: login, label: login }))
}
