import { CallError } from '../../contract/browser.ts'
import { t } from '../i18n/translate.ts'

/** A failure for people: what happened, what to do next, and the facts for the person who is asked for help. */
interface ErrorWords {
  readonly title: string
  readonly remedy: string
  readonly facts: string
}

/** Finds the remedy of an error code. */
export type FindRemedy = (code: string) => string | undefined

const noRemedy: FindRemedy = () => undefined

/** Remedies of the error table, in a separate file: most visits show no failure. Without the file the status decides. */
export function loadRemedies(): Promise<FindRemedy> {
  return import('../../contract/errors.ts').then(
    ({ errorRow }) =>
      (code) =>
        errorRow(code)?.remedy,
    () => noRemedy,
  )
}

/** What to do about a refusal, by the error table or else by its status. */
function remedyOf(error: CallError, findRemedy: FindRemedy): string {
  const wait =
    error.retryAfterSeconds === null ? '' : ` ${t('failure.wait', { seconds: error.retryAfterSeconds })}`
  const remedy = error.code === null ? undefined : findRemedy(error.code)
  if (remedy !== undefined) return remedy + wait
  return t(error.status >= 500 ? 'failure.serverRemedy' : 'failure.correct') + wait
}

/** Puts any failure in words; remedies of error codes come from {@link loadRemedies}. */
export function describeError(error: unknown, findRemedy: FindRemedy = noRemedy): ErrorWords {
  if (error instanceof CallError) {
    const said = error.messages.join('; ')
    const facts = `status ${error.status}, code ${error.code ?? 'none'}: ${said}`
    // The log of the server has a fault under the id; for a refusal the message says everything.
    if (error.status === 500) {
      const { requestId } = error
      return {
        title: t('failure.fault'),
        remedy: requestId === null ? t('failure.faultRemedy') : t('failure.faultRemedyId', { id: requestId }),
        facts: requestId === null ? facts : `${facts}, request id ${requestId}`,
      }
    }
    return { title: said, remedy: remedyOf(error, findRemedy), facts }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof TypeError) {
    return {
      title: t('failure.noAnswer'),
      remedy: t('failure.noAnswerRemedy'),
      facts: `no answer: ${message}`,
    }
  }
  return { title: message, remedy: t('failure.otherRemedy'), facts: message }
}
