import { dataType, RESPONSE_ONLY } from '../data-type.ts'
import { hostOf } from '../secret-shape.ts'
import { ANY, DOT, LINE, LOWER, SPACE } from '../value-signature.ts'

const HOST = /^[a-z0-9-]{3,60}\.(?:firebaseio\.com|firebaseapp\.com|[a-z0-9-]{3,40}\.firebasedatabase\.app)$/

export default dataType({
  name: 'FIREBASE_DOMAIN',
  summary: 'The address of a Firebase project or database.',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: RESPONSE_ONLY,
  evidence: 'PROOF',
  mayMatch: { length: [16, 512], chars: ANY & ~(LINE | SPACE), requires: DOT | LOWER },
  inText: true,
  verify: (value) => (value.includes('.firebase') && HOST.test(hostOf(value)) ? 95 : 0),
  cases: [
    { value: 'https://shop-4711.firebaseio.com/orders.json', key: 'v', expect: true, because: 'a database' },
    { value: 'shop-4711.firebaseapp.com', key: 'authDomain', expect: true, because: 'a project' },
    { value: 'https://firebase.google.com/docs', key: 'v', expect: false, because: 'a public page' },
    { value: 'https://shop.test/a.firebaseio.com', key: 'v', expect: false, because: 'in the path' },
  ],
})
