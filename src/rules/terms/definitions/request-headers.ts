import { headersText, namedHeaders } from '../headers.ts'
import { judged, term } from '../term.ts'

export default term({
  name: 'request_headers',
  summary: 'Headers of the request: names by `key`, values by `value`, or all as the text of a JSON object.',
  whole: (scene) => headersText(judged(scene).requestHeaders),
  named: (scene) => namedHeaders(judged(scene).requestHeaders, judged(scene).cookies),
})
