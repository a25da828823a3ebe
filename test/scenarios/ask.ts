import type { OperationName, ResponseOf } from '../../src/contract/index.ts'
import { checkAnswer } from '../check-answer.ts'
import { type TestPerson, type TestServer, testKey } from '../harness.ts'
import { until } from '../until.ts'

/** Who asks: the holder of the test key, or a signed-in person. */
export type Asker = TestServer | TestPerson

function send(asker: Asker, operation: string, body: unknown): Promise<Response> {
  return 'post' in asker
    ? asker.post(`/api/${operation}`, body, { key: testKey })
    : asker.call(operation, body)
}

/** The answer of an operation that must succeed, checked against the contract. */
export async function ask<Name extends OperationName>(
  asker: Asker,
  operation: Name,
  body: unknown = {},
): Promise<ResponseOf<Name>> {
  const answer = await send(asker, operation, body)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}: ${text.slice(0, 1000)}`)
  const parsed: unknown = text === '' ? undefined : JSON.parse(text)
  const misfit = checkAnswer(operation, parsed)
  if (misfit !== null) throw new Error(misfit)
  return parsed as ResponseOf<Name>
}

/** Status and sentence of an operation that must be refused. */
export async function refusal(
  asker: Asker,
  operation: OperationName,
  body: unknown = {},
): Promise<[status: number, sentence: string]> {
  const answer = await send(asker, operation, body)
  const text = await answer.text()
  if (answer.status === 200) throw new Error(`${operation} answered 200: ${text.slice(0, 1000)}`)
  const { actionErrors } = JSON.parse(text) as { actionErrors: string[] }
  return [answer.status, actionErrors.join(' | ')]
}

/** Polls the logs of an upload, as its page does, until it was read. */
export async function untilRead<Name extends 'fetchSwaggerImportLogs' | 'fetchPostmanImportLogs'>(
  asker: Asker,
  operation: Name,
  uploadId: string,
): Promise<ResponseOf<Name>> {
  return until('the upload to be read', () => ask(asker, operation, { uploadId }), {
    isRight: (answer) =>
      (answer as { uploadDetails: { uploadStatus: string } }).uploadDetails.uploadStatus !== 'IN_PROGRESS',
  })
}

/** `METHOD url` of every endpoint of a collection, as the lists show them. */
export async function endpointsOf(asker: Asker, apiCollectionId: number): Promise<string[]> {
  const { listOfEndpointsInCollection } = await ask(asker, 'fetchCollectionWiseApiEndpoints', {
    apiCollectionId,
  })
  return (listOfEndpointsInCollection ?? []).map(({ method, url }) => `${method} ${url}`)
}

/** One sample message; what is not given is that of a small JSON exchange with shop.test. */
export function message(given: Record<string, unknown>): Record<string, unknown> {
  return {
    method: 'GET',
    requestHeaders: { host: 'shop.test', 'content-type': 'application/json' },
    requestPayload: '',
    responseHeaders: { 'content-type': 'application/json' },
    responsePayload: '{"ok":true}',
    statusCode: '200',
    time: 1769850000,
    ip: '203.0.113.9',
    ...given,
  }
}

/** Several of them as a file. */
export function messageLines(messages: readonly Record<string, unknown>[]): string {
  return messages.map((one) => JSON.stringify(message(one))).join('\n')
}
