import { term } from '../term.ts'

export default term({
  name: 'slowed',
  summary:
    'Whether the answer took more than a second and five times as long as the first answers of its step, twice in a row.',
  called: 'delay',
  whole: ({ isSlowed }) => isSlowed === true,
})
