import type { User as KnownUser } from '../../../access/index.ts'
import type { User } from '../../../contract/index.ts'

/** A person as the interface shows one. */
export function wireUser(user: KnownUser): User {
  return {
    id: user.id,
    login: user.login,
    name: user.name,
    role: user.role,
    collectionIds: user.collectionIds === null ? null : [...user.collectionIds],
    lastLoginTs: user.lastLoginAt,
    createdTs: user.createdAt,
  }
}
