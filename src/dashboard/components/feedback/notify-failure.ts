import { notifications } from '@mantine/notifications'
import { describeError, loadRemedies } from '../../data/describe-error.ts'
import { t } from '../../i18n/translate.ts'

/** Tells that a choice for this browser is lost: the browser keeps nothing for this page. */
export function notifyNotKept(): void {
  notifications.show({
    color: 'red',
    title: t('failure.notKept'),
    message: t('failure.notKeptRemedy'),
    autoClose: 10_000,
  })
}

/** Tells of a failed action where no form or page stands that could show it. */
export function notifyFailure(error: unknown): void {
  void loadRemedies().then((findRemedy) => {
    const { title, remedy } = describeError(error, findRemedy)
    notifications.show({ color: 'red', title, message: remedy, autoClose: 10_000 })
  })
}
