import type { User } from '../../contract/browser.ts'
import { useRead } from './use-operation.ts'

/** Who is signed in; undefined until the server has told. */
export function useOwnUser(): User | undefined {
  return useRead('fetchOwnUser', {}).data?.user
}

/** True when the role of the person who is signed in allows changes. */
export function useMayWrite(): boolean {
  const role = useOwnUser()?.role
  return role === 'ADMIN' || role === 'MEMBER'
}
