import { term } from '../term.ts'

export default term({
  name: 'method',
  summary: 'Method of the endpoint.',
  whole: (scene) => scene.endpoint.method,
})
