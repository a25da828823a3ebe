import { dataType, example } from '../data-type.ts'

const SHAPE = /^https:\/\/hooks\.zapier\.com\/hooks\/(?:catch|standard)\/\d{4,12}\/[a-z0-9]{5,20}/i

export default dataType({
  name: 'ZAPIER_WEBHOOK',
  summary: 'A web hook of Zapier: who knows it may trigger it.',
  category: 'SECRET',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [40, 140], starts: ['https://hooks.zapier.com/'] },
  inText: true,
  verify: (value) => (SHAPE.test(value) ? 97 : 0),
  cases: [
    {
      value: example('https://hooks.zapier.com/hooks/catch/', '1234567/', 'o7k2mnq/'),
      key: 'url',
      expect: true,
      because: 'account and hook',
    },
    { value: 'https://hooks.zapier.com/docs/about-our-hooks', key: 'url', expect: false, because: 'a page' },
  ],
})
