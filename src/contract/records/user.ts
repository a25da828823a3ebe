import type { Static } from 'typebox'
import { epochSeconds, integer, list, model, nullable, oneOf, text } from '../schema.ts'

/** Schema of a role. */
export function userRole(description = 'GUEST reads, MEMBER reads and writes, ADMIN also manages users.') {
  return oneOf(['GUEST', 'MEMBER', 'ADMIN'], { description })
}

export const user = model('User', 'A person with an account.', {
  id: integer({ description: 'User id, the key of the maps by user.' }),
  login: text({ description: 'E-mail address.' }),
  name: nullable(text({ description: 'Display name.' })),
  role: userRole(),
  collectionIds: nullable(list(integer(), { description: 'Collections the user may see; null for all.' })),
  lastLoginTs: epochSeconds('Last sign-in; 0 for never.'),
  createdTs: epochSeconds('When the account was made.'),
})

export const invitation = model('Invitation', 'An open invitation.', {
  email: text({ description: 'Address it is for.' }),
  role: userRole('Role the account will have.'),
  invitedBy: text({ description: 'E-mail address of the administrator.' }),
  createdTs: epochSeconds(),
  expiresTs: epochSeconds(),
})

export type User = Static<typeof user>
export type Invitation = Static<typeof invitation>
