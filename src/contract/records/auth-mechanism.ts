import type { Static } from 'typebox'
import { document, flag, integer, list, model, nullable, openObject, text } from '../schema.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'
import { objectId } from './object-id.ts'

export const authParam = model('AuthParam', 'One value that authenticates test requests.', {
  where: text({ description: 'HEADER, BODY or TLS.' }),
  key: text({ description: 'Name of the header or path of the body field.' }),
  value: text({
    description:
      'The value: in answers its first characters and ***. Sent back unchanged, it stands for the stored one.',
  }),
  showHeader: flag({ description: 'Shown in the dashboard.' }),
})

export const recordedLoginFlow = model('RecordedLoginFlow', 'A recorded login and what it yields.', {
  content: document({ description: 'JSON text of the recorded steps.' }),
  tokenFetchCommand: text({ description: 'JavaScript expression that yields the token.' }),
  outputFilePath: nullable(text()),
  errorFilePath: nullable(text()),
  tokenResult: nullable(text()),
})

export const authMechanism = model('AuthMechanism', 'How test requests authenticate at the target.', {
  type: text({
    description:
      'HARDCODED, LOGIN_REQUEST, DIGEST_AUTH, TLS_AUTH or SAMPLE_DATA as the client wrote it; case does not count.',
  }),
  authParams: list(authParam),
  uuid: text({ description: 'Random identifier.' }),
  cacheExpired: flag({ description: 'False while a fetched token is valid for 30 seconds more.' }),
  apiCollectionIds: nullable(list(integer())),
  id: nullable(objectId),
  requestData: nullable(list(openObject({ description: 'One step of a login by requests.' }))),
  recordedLoginFlowInput: nullable(recordedLoginFlow),
})

export const authMechanismObject = wideRecord(
  'AuthMechanismObject',
  'Answer of the operation about the default authentication of tests.',
  {
    ...filledEach(['workflowTestingRun', 'authMechanismDoc', 'workflowTestResult'], openObject(), null),
    authParamData: filled(list(authParam), null),
    responses: filled(list(openObject()), null),
    requestData: filled(list(openObject()), null),
    ...filledEach(['type', 'nodeId', 'uuid', 'miniTestingServiceName'], text(), null),
    authMechanism: filled(authMechanism, null),
  },
)

export type AuthMechanism = Static<typeof authMechanism>
