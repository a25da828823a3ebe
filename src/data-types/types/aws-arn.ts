import { dataType, RESPONSE_ONLY } from '../data-type.ts'

const SHAPE = /^arn:aws(?:-cn|-us-gov)?:[a-z0-9-]{2,40}:[a-z0-9-]{0,30}:(?:\d{12})?:[^\s]{1,400}$/

export default dataType({
  name: 'AWS_ARN',
  summary: 'A resource name of Amazon Web Services; it holds the number of the account.',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: RESPONSE_ONLY,
  evidence: 'PROOF',
  mayMatch: { length: [16, 512], starts: ['arn:aws'] },
  keys: ['arn'],
  inText: true,
  verify: (value) => (SHAPE.test(value) ? 97 : 0),
  cases: [
    {
      value: 'arn:aws:connect:eu-west-1:123456789012:instance/8b1f6b1e',
      key: 'v',
      expect: true,
      because: 'with an account',
    },
    { value: 'arn:aws:s3:::shop-invoices', key: 'v', expect: true, because: 'a bucket has none' },
    { value: 'arn:aws is a prefix', key: 'text', expect: false, because: 'a sentence' },
  ],
})
