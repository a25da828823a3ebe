import { notifications } from '@mantine/notifications'
import { describeError } from '../../data/describe-error.ts'

/** Tells of a failed action where no form or page stands that could show it. */
export function notifyFailure(error: unknown): void {
  const { title, cure } = describeError(error)
  notifications.show({ color: 'red', title, message: cure, autoClose: 10_000 })
}
