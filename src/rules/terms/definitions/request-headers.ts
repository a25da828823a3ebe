import { judged, term } from '../term.ts'

export default term({
  name: 'request_headers',
  summary: 'Headers of the request: names by `key`, values by `value`, or all as the text of a JSON object.',
  called: 'set of request headers',
  itemCalled: 'request header',
  whole: (scene) => judged(scene).requestHeadersText,
  named: (scene) => judged(scene).namedRequestHeaders,
})
