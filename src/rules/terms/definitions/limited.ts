import { term } from '../term.ts'

export default term({
  name: 'limited',
  summary:
    'Whether the answer comes from a limit, a lock or a captcha: by status, headers or words, and in a series by another answer or a delay.',
  called: 'limit',
  whole: ({ isLimited }) => isLimited === true,
})
