import { term } from '../term.ts'

export default term({
  name: 'stored_state',
  summary:
    'What a later read with the credentials of the recorded user shows: `gone` or `shown` after a deletion, `as sent`, `otherwise` or `not listed` (a list was read that lacks the object) after other writes, `unknown` if no read is known or it does not tell.',
  called: 'state of the stored object',
  whole: ({ storedState }) => storedState ?? 'unknown',
})
