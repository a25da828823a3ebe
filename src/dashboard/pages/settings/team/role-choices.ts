import type { Role } from '../../../../contract/browser.ts'

/** Roles as people read them. */
export const roleChoices: readonly { value: Role; label: string }[] = [
  { value: 'GUEST', label: 'Guest' },
  { value: 'MEMBER', label: 'Member' },
  { value: 'ADMIN', label: 'Administrator' },
]
