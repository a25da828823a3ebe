import { term } from '../term.ts'

export default term({
  name: 'url',
  summary: 'URL of the endpoint, with the words of its path template.',
  called: 'endpoint URL',
  whole: (scene) => scene.endpoint.url,
  extracted: (scene) => scene.sample.url,
})
