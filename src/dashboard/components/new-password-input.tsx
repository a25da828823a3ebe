import { PasswordInput } from '@mantine/core'
import { t } from '../i18n/translate.ts'

/** Field for a password that is being chosen; the server checks the rule and says what to change. */
export function NewPasswordInput({ label, name }: { readonly label: string; readonly name: string }) {
  return (
    <PasswordInput
      label={label}
      description={t('password.rule')}
      name={name}
      autoComplete="new-password"
      minLength={12}
      required
    />
  )
}
