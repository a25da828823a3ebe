import { dataType, example } from '../data-type.ts'

const SHAPE =
  /^https:\/\/(?:[\w-]{1,60}\.webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook)\/[0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36}/i

export default dataType({
  name: 'TEAMS_WEBHOOK',
  summary: 'A web hook of Microsoft Teams: who knows it may post.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [150, 400], starts: ['https://'] },
  inText: true,
  verify: (value) => (value.includes('IncomingWebhook') && SHAPE.test(value) ? 98 : 0),
  cases: [
    {
      value: example(
        'https://shop.webhook.office.com/webhookb2/',
        '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11@9c2e7c2f-7a1b-4a68-8b4d-1d2f5b7d3e22',
        '/IncomingWebhook/0f4c2e7a9b1d3856e0a2c4f6d8b17395/8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11',
      ),
      key: 'url',
      expect: true,
      because: 'tenant, hook, secret',
    },
    {
      value: `https://teams.microsoft.com/l/channel/${'x'.repeat(150)}`,
      key: 'url',
      expect: false,
      because: 'a channel',
    },
  ],
})
