import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

const SHAPE = /^(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/=]{32,64})$/

export default dataType({
  name: 'STRIPE_KEY',
  summary: 'A secret or restricted key, or a web hook secret, of Stripe.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [24, 255], starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'] },
  keys: ['stripe key', 'stripe secret'],
  inText: true,
  verify: (value) => (SHAPE.test(value) && looksRandom(value.slice(8)) ? 98 : 0),
  cases: [
    {
      value: example('sk_', 'live_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5G'),
      key: 'v',
      expect: true,
      because: 'a secret key',
    },
    {
      value: example('rk_', 'test_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5G'),
      key: 'v',
      expect: true,
      because: 'a restricted test key',
    },
    {
      value: example('pk_', 'live_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5G'),
      key: 'v',
      expect: false,
      because: 'publishable keys are public',
    },
    {
      value: example('sk_', 'live_', 'xxxxxxxxxxxxxxxxxxxxxxxx'),
      key: 'v',
      expect: false,
      because: 'a placeholder',
    },
  ],
})
