import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'

/** Runs an action when a form is sent: whether it runs, and in a sentence why it failed. */
export function useSubmission(action: (fields: FormData) => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      await action(new FormData(event.currentTarget))
    } catch (error) {
      setFailure(error instanceof TypeError ? t('signIn.noAnswer') : messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, submit }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
