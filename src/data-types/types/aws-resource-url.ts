import { dataType, RESPONSE_ONLY } from '../data-type.ts'
import { hostOf } from '../secret-shape.ts'
import { ANY, DOT, LINE, LOWER, SPACE } from '../value-signature.ts'

const SERVICE =
  /(?:^|\.)(?:s3|sqs|rds|docdb|dynamodb|redshift|es|execute-api|lambda-url|elasticache|cache)[.-]/

export default dataType({
  name: 'AWS_RESOURCE_URL',
  summary: 'The address of a bucket, queue or database at Amazon Web Services.',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: RESPONSE_ONLY,
  evidence: 'PROOF',
  mayMatch: { length: [16, 2048], chars: ANY & ~(LINE | SPACE), requires: DOT | LOWER },
  inText: true,
  verify(value) {
    if (!value.includes('.amazonaws.com')) return 0
    const host = hostOf(value)
    return /\.amazonaws\.com(?:\.cn)?$/.test(host) && SERVICE.test(host) ? 95 : 0
  },
  cases: [
    {
      value: 'https://shop-invoices.s3.eu-west-1.amazonaws.com/2023/a.pdf',
      key: 'url',
      expect: true,
      because: 'a bucket',
    },
    { value: 'shop.c9akciq32.eu-west-1.rds.amazonaws.com', key: 'host', expect: true, because: 'a database' },
    {
      value: 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders',
      key: 'queue',
      expect: true,
      because: 'a queue',
    },
    { value: 'https://aws.amazon.com/s3', key: 'url', expect: false, because: 'a public page' },
    { value: 'https://shop.test/?x=s3.amazonaws.com', key: 'url', expect: false, because: 'in the query' },
  ],
})
