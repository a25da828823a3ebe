import { PasswordInput } from '@mantine/core'

/** Field for a password that is being chosen; the server checks the rule and says what to change. */
export function NewPasswordInput({ label, name }: { readonly label: string; readonly name: string }) {
  return (
    <PasswordInput
      label={label}
      description="12 to 128 characters. Several unrelated words are easy to remember and hard to guess."
      name={name}
      autoComplete="new-password"
      minLength={12}
      required
    />
  )
}
