import { document, epochSeconds, flag, hexId, list, text } from '../schema.ts'
import { filled, wideRecord } from '../wide-record.ts'

/** Wide record of the recorded-flow operations. `content` and `tokenFetchCommand` are never echoed: they may hold credentials. */
export const loginRecorder = wideRecord(
  'LoginRecorder',
  'Shared answer of the recorded-flow operations. Content and command are never echoed.',
  {
    content: filled(document(), null),
    tokenFetchCommand: filled(text(), null),
    token: filled(document({ description: 'JSON text with the extracted token and the cookies.' }), null),
    nodeId: filled(text({ description: 'Login step that receives the token.' }), null),
    tokenFetchInProgress: filled(flag({ description: 'True while the flow runs.' }), null),
    roleName: filled(text({ description: 'Test role of the flow.' }), null),
    screenshotsBase64: filled(list(text({ description: 'PNG in base64, without data-URL prefix.' })), null),
    screenshotsUpdatedAt: filled(epochSeconds('When the screenshots were taken; 0 for never.'), 0),
    miniTestingServiceName: filled(text({ description: 'Executor chosen by the caller.' }), null),
    testingRunPlaygroundId: filled(hexId({ description: 'Playground record of a hybrid flow.' }), null),
    screenshotSessionId: filled(text({ description: 'Session of the live view.' }), null),
    screenshotBase64: filled(text({ description: 'Latest picture of the live view.' }), null),
  },
  ['nodeId', 'roleName', 'miniTestingServiceName'],
)
