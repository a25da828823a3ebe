import { dataType, example } from '../data-type.ts'

const SHAPE = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{17,20}\/[\w-]{60,72}$/

export default dataType({
  name: 'DISCORD_WEBHOOK',
  summary: 'A web hook of Discord: who knows it may post.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [100, 160],
    starts: [
      'https://discord.com/',
      'https://discordapp.com/',
      'https://canary.discord.com/',
      'https://ptb.discord.com/',
    ],
  },
  inText: true,
  verify: (value) => (SHAPE.test(value) ? 98 : 0),
  cases: [
    {
      value: example(
        'https://discord.com/api/webhooks/',
        '1084189761476030504/',
        'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2Xy4Za6Bc8De0Fg2Hi4Jk6',
      ),
      key: 'url',
      expect: true,
      because: 'id and secret',
    },
    {
      value:
        'https://discord.com/channels/1084189761476030504/1084189761476030505/1084189761476030506?thread=1084189761476030507',
      key: 'url',
      expect: false,
      because: 'a channel',
    },
  ],
})
