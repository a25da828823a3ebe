import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

const PREFIX = 'tests-library-master/remediation/'
const SUFFIX = '.md'
/** What ids of tests and filters are made of; anything else, and every way out of a folder, is unknown. */
const ID = /^[A-Za-z0-9_-]{1,200}$/

/** How to remedy a weakness, in Markdown; empty for an unknown id. */
export const fetchRemediationInfo: Handler<'fetchRemediationInfo'> = async (input, { app }) => {
  if (input.testId.trim() === '') throw new Failure('TEST_ID_EMPTY', {})
  const isPath = input.testId.startsWith(PREFIX) && input.testId.endsWith(SUFFIX)
  const id = isPath ? input.testId.slice(PREFIX.length, -SUFFIX.length) : input.testId
  if (!ID.test(id)) return ''
  return (await app.catalogue.remediation(id)) ?? ''
}
