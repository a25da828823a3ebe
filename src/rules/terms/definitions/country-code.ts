import { term } from '../term.ts'

export default term({
  name: 'country_code',
  summary: 'Country of the caller, as recorded; nothing holds while it is unknown.',
  called: 'client country',
  whole: (scene) => scene.sample.exchange.tags?.['country'] || null,
})
