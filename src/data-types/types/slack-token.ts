import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

const SHAPE = /^xox[abeoprs](?:\.xox[bp])?-(?:\d-)?[\w-]{10,250}$/

export default dataType({
  name: 'SLACK_TOKEN',
  summary: 'A token of Slack (bot, user, app, refresh).',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [24, 300], starts: ['xox', 'xapp-'] },
  keys: ['slack token', 'slack bot token'],
  inText: true,
  verify(value) {
    const isShaped = value.startsWith('xapp-')
      ? /^xapp-\d-[A-Z0-9]{8,}-\d+-[0-9a-f]{32,}$/.test(value)
      : SHAPE.test(value)
    return isShaped && /\d{4}/.test(value) && looksRandom(value.slice(5)) ? 96 : 0
  },
  cases: [
    {
      value: example('xoxb-', '123456789012-1234567890123-', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5G'),
      key: 'v',
      expect: true,
      because: 'a bot',
    },
    {
      value: example('xapp-', '1-A012BCDEFGH-1234567890123-', '0f4c2e7a9b1d3856e0a2c4f6d8b17395'),
      key: 'v',
      expect: true,
      because: 'an app',
    },
    { value: 'xoxb-your-token-goes-here-please', key: 'v', expect: false, because: 'a placeholder' },
    { value: 'xoxo-gossip-girl-season-two', key: 'slug', expect: false, because: 'kisses' },
  ],
})
