import { headersText, namedHeaders } from '../headers.ts'
import { judged, term } from '../term.ts'

export default term({
  name: 'response_headers',
  summary: 'Headers of the response: names by `key`, values by `value`, or all as the text of a JSON object.',
  whole: (scene) => headersText(judged(scene).responseHeaders),
  named: (scene) => namedHeaders(judged(scene).responseHeaders, judged(scene).cookies),
})
