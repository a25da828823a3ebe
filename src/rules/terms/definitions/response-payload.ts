import { judged, term } from '../term.ts'

export default term({
  name: 'response_payload',
  summary: 'Body of the response: leaves of its tree by `key` and `value`, or the whole text.',
  called: 'response body',
  itemCalled: 'response body field',
  whole: (scene) => judged(scene).responseBody.text,
  body: (scene) => judged(scene).responseBody,
  named: (scene) => judged(scene).responseBody.named,
})
