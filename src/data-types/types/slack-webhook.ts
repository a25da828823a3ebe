import { dataType, example } from '../data-type.ts'

const SHAPE =
  /^https:\/\/hooks\.slack\.com\/(?:services|workflows)\/T[A-Z0-9]{6,14}\/[AB][A-Z0-9]{6,14}\/[A-Za-z0-9/]{18,70}$/

export default dataType({
  name: 'SLACK_WEBHOOK',
  summary: 'A web hook of Slack: who knows it may post.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [60, 140], starts: ['https://hooks.slack.com/'] },
  inText: true,
  verify: (value) => (SHAPE.test(value) ? 98 : 0),
  cases: [
    {
      value: example('https://hooks.slack.com/services/', 'T012AB3CD/B045EF6GH/', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5G'),
      key: 'url',
      expect: true,
      because: 'team, hook, secret',
    },
    {
      value: 'https://hooks.slack.com/services/your/hook/goes-here-please-now',
      key: 'url',
      expect: false,
      because: 'a placeholder',
    },
  ],
})
