import type { User } from '../../contract/browser.ts'
import { useRead } from './use-operation.ts'

/** Who is signed in; undefined until the server has told. */
export function useOwnUser(): User | undefined {
  return useRead('fetchOwnUser', {}).data?.user
}

function mayWrite(user: User | undefined): boolean {
  return user?.role === 'ADMIN' || user?.role === 'MEMBER'
}

/** True when the role of the person who is signed in allows changes. */
export function useMayWrite(): boolean {
  return mayWrite(useOwnUser())
}

/** True when changes are also allowed to what reaches over all collections, as conditions of groups do. */
export function useMayWriteAll(): boolean {
  const user = useOwnUser()
  return mayWrite(user) && user?.collectionIds === null
}
