import { judged, term } from '../term.ts'

export default term({
  name: 'query_param',
  summary: 'Parameters of the query: names by `key`, decoded values by `value`, or the text as sent.',
  called: 'query string',
  itemCalled: 'query parameter',
  whole: (scene) => judged(scene).rawQuery,
  extracted: (scene) => judged(scene).rawQuery ?? '',
  named: (scene) => judged(scene).namedQuery,
})
