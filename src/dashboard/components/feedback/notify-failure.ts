import { notifications } from '@mantine/notifications'
import { describeError, loadRemedies } from '../../data/describe-error.ts'

/** Tells of a failed action where no form or page stands that could show it. */
export function notifyFailure(error: unknown): void {
  void loadRemedies().then((findRemedy) => {
    const { title, remedy } = describeError(error, findRemedy)
    notifications.show({ color: 'red', title, message: remedy, autoClose: 10_000 })
  })
}
