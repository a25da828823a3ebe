import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, AT, DASH, DOT, UNDERSCORE } from '../value-signature.ts'

const SHAPE = /^[A-Za-z0-9._-]{2,64}@([A-Za-z]{2,20})$/
const HANDLES = new Set(
  'okaxis oksbi okicici okhdfcbank ybl ibl axl paytm upi apl ikwik sbi hdfcbank icici axisbank kotak barodampay ptaxis ptsbi pthdfc ptyes waaxis waicici wahdfcbank yapl rapl freecharge airtel jupiteraxis fbl indus idfcbank pnb unionbank cnrb'.split(
    ' ',
  ),
)

export default dataType({
  name: 'IN_UPI_ID',
  summary: 'A payment address of the Indian UPI: a name at a handle of a bank.',
  category: 'FINANCE',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [5, 86], chars: ALPHANUMERIC | DOT | DASH | UNDERSCORE | AT, requires: AT },
  keys: ['upi', 'upi id', 'vpa', 'payment address'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null) return 0
    return HANDLES.has(parts[1]!.toLowerCase()) ? 93 : context.named ? 75 : 0
  },
  cases: [
    { value: 'ann.lee@okaxis', key: 'v', expect: true, because: 'a known handle' },
    {
      value: '9876543210@somebank',
      key: 'upiId',
      expect: true,
      because: 'an unknown handle under a telling key',
    },
    { value: 'root@localhost', key: 'user', expect: false, because: 'an account on a machine' },
    { value: 'ann.lee@okaxis.com', key: 'v', expect: false, because: 'an e-mail address' },
  ],
})
