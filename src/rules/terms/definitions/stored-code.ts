import { term } from '../term.ts'

export default term({
  name: 'stored_code',
  summary:
    'Status with which an object is read after a write, with the credentials of the recorded user; 0 where no read is known.',
  called: 'status of the stored object',
  whole: ({ stored }) => stored?.status ?? 0,
})
