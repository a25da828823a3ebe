import { judged, term } from '../term.ts'

export default term({
  name: 'response_headers',
  summary: 'Headers of the response: names by `key`, values by `value`, or all as the text of a JSON object.',
  called: 'set of response headers',
  itemCalled: 'response header',
  whole: (scene) => judged(scene).responseHeadersText,
  named: (scene) => judged(scene).namedResponseHeaders,
})
