import type { PageDialog } from '../browser/driver.ts'
import type { ChangeFilter } from './change-filter.ts'

/**
 * How dialogs of pages are answered: questions with yes where everything may be done, and where what follows is held
 * back; else with no. What a question says counts as said around the control that asked it.
 *
 * @param changes null where nothing is held back
 */
export function dialogAnswers(
  changes: ChangeFilter | null,
  allowsAll: boolean,
): (dialog: PageDialog, cause: string | null) => boolean {
  return ({ type, message }, cause) => {
    changes?.hear(cause, message)
    if (type === 'confirm') return allowsAll || changes !== null
    return type === 'alert' || type === 'beforeunload' || allowsAll
  }
}
