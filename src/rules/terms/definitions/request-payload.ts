import { judged, term } from '../term.ts'

export default term({
  name: 'request_payload',
  summary: 'Body of the request: leaves of its tree by `key` and `value`, or the whole text.',
  called: 'request body',
  itemCalled: 'request body field',
  whole: (scene) => judged(scene).requestBody.text,
  body: (scene) => judged(scene).requestBody,
  named: (scene) => judged(scene).requestBody.named,
})
