import { term } from '../term.ts'

export default term({
  name: 'method',
  summary: 'Method of the endpoint.',
  called: 'method',
  whole: (scene) => scene.endpoint.method,
})
