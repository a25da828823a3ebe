import type { Role } from '../../../../contract/browser.ts'
import { type PlainKey, t } from '../../../i18n/translate.ts'

const words: readonly { value: Role; label: PlainKey }[] = [
  { value: 'GUEST', label: 'role.guest' },
  { value: 'MEMBER', label: 'role.member' },
  { value: 'ADMIN', label: 'role.admin' },
]

/** Roles as people read them. */
export function roleChoices(): { value: Role; label: string }[] {
  return words.map(({ value, label }) => ({ value, label: t(label) }))
}

/** A role as people read it. */
export function roleWord(role: Role): string {
  const word = words.find(({ value }) => value === role)
  return word === undefined ? role : t(word.label)
}
