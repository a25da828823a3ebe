import { dataType } from '../data-type.ts'
import { hostOf } from '../secret-shape.ts'
import { ANY, DOT, LINE, LOWER, SPACE } from '../value-signature.ts'

const HOST =
  /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,40})?\.(?:my\.salesforce\.com|lightning\.force\.com|my\.site\.com)$/

export default dataType({
  name: 'SALESFORCE_DOMAIN',
  summary: 'The address of an organisation at Salesforce.',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: 'NEVER',
  evidence: 'PROOF',
  mayMatch: { length: [15, 512], chars: ANY & ~(LINE | SPACE), requires: DOT | LOWER },
  verify: (value) => (/salesforce|force\.com|site\.com/.test(value) && HOST.test(hostOf(value)) ? 95 : 0),
  cases: [
    {
      value: 'https://shop.my.salesforce.com/services/data',
      key: 'instance_url',
      expect: true,
      because: 'an organisation',
    },
    { value: 'shop--dev.sandbox.my.salesforce.com', key: 'host', expect: true, because: 'a sandbox' },
    { value: 'https://www.salesforce.com/', key: 'v', expect: false, because: 'a public page' },
  ],
})
