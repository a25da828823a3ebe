import { randomUUID } from 'node:crypto'
import { parseRecording } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Stores a recorded login of a role; it is played at once. */
export const uploadRecordedFlow: Handler<'uploadRecordedFlow'> = async (input, { app, caller }) => {
  const { content, tokenFetchCommand } = input
  const roleName = input.roleName.trim()
  if (roleName === '') throw new Failure('FLOW_ROLE_REQUIRED', {})
  await parseRecording(content)
  const executor = input.miniTestingServiceName?.trim() || null
  const id = await app.flows.upload({
    ownerId: caller.userId,
    roleName,
    executor,
    content,
    tokenFetchCommand,
  })
  return {
    testingRunPlaygroundId: executor === null ? null : id,
    screenshotSessionId: executor === null ? randomUUID() : roleName,
    actionErrors: [],
  }
}
