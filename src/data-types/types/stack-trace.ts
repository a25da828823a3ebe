import { dataType, RESPONSE_ONLY } from '../data-type.ts'
import { ANY, LINE, PUNCTUATION } from '../value-signature.ts'

const FRAMES = [
  /\n\s{0,8}at [\w$.<>[\]]{1,200}(?: \[as \w+\])? ?\([^\n()]{1,300}\)/,
  /Traceback \(most recent call last\):/,
  /\n\s{2,4}File "[^"\n]{1,300}", line \d+, in /,
  /\n#\d+ [^\n]{1,300}\(\d+\): /,
  /\n\s{0,8}at [\w.`<>]{1,200}\([^\n]{0,200}\) in [^\n]{1,300}:line \d+/,
  /goroutine \d+ \[running\]:/,
]

export default dataType({
  name: 'STACK_TRACE',
  summary: 'A trace of the program that failed, in what the server sends.',
  category: 'CONTENT',
  severity: 'MEDIUM',
  sensitiveIn: RESPONSE_ONLY,
  evidence: 'PROOF',
  mayMatch: { length: [40, 4096], chars: ANY, requires: LINE | PUNCTUATION },
  keys: ['stack', 'stacktrace', 'trace', 'exception', 'traceback'],
  verify: (value) => (FRAMES.some((frame) => frame.test(value)) ? 95 : 0),
  cases: [
    {
      value:
        'TypeError: x is not a function\n    at Cart.add (/srv/app/cart.js:12:9)\n    at next (/srv/app/r.js:1:1)',
      key: 'stack',
      expect: true,
      because: 'JavaScript',
    },
    {
      value: 'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in <module>\nValueError: x',
      key: 'error',
      expect: true,
      because: 'Python',
    },
    {
      value:
        'java.lang.NullPointerException\n\tat com.shop.Cart.add(Cart.java:12)\n\tat com.shop.Main.main(Main.java:3)',
      key: 'message',
      expect: true,
      because: 'Java',
    },
    {
      value: 'Meet us\nat the shop (second floor), every Monday at nine.',
      key: 'text',
      expect: false,
      because: 'a letter',
    },
  ],
})
