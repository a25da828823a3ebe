import { judged, term } from '../term.ts'

export default term({
  name: 'response_code',
  summary: 'Status of the answer; a number.',
  called: 'response status',
  whole: (scene) => judged(scene).status,
  extracted: (scene) => String(judged(scene).status),
})
