import { crc32 } from 'node:zlib'
import type { Generator, Generators } from './generator.ts'
import type { Random } from './random.ts'
import { BASE62, UPPER } from './random.ts'

const URL_SAFE = `${BASE62}-_`
const BASE64 = `${BASE62}+/`

/** A secret that tells by itself; its look-alikes are cut, filled with one letter or made of words. */
function token(truth: (random: Random) => string): Generator {
  return { keys: ['value', 'token'], alone: true, kind: 'token', truth }
}

function crcToken(r: Random, prefix: string): string {
  const body = r.base62(30)
  let rest = crc32(body)
  let check = ''
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) check = BASE62[rest % 62]! + check
  return prefix + body + check
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

export const SECRETS: Generators = {
  JWT: token(
    (r) =>
      `${base64Url(`{"alg":"${r.pick(['HS256', 'RS256', 'ES256'])}","kid":"${r.hex(4)}"}`)}.${base64Url(`{"sub":"${r.hex(8)}"}`)}.${r.text(URL_SAFE, 43)}`,
  ),
  AWS_ACCESS_KEY_ID: token((r) => `${r.pick(['AKIA', 'ASIA'])}${r.text(`${UPPER}234567`, 16)}`),
  AWS_SECRET_ACCESS_KEY: {
    keys: ['awsSecretAccessKey', 'secret_access_key'],
    kind: 'name',
    truth: (r) => r.text(BASE64, 40),
  },
  AWS_RESOURCE_URL: token(
    (r) =>
      `https://${r.text('abcdef', 8)}.s3.${r.pick(['eu-west-1', 'us-east-2'])}.amazonaws.com/${r.hex(8)}`,
  ),
  AWS_ARN: token(
    (r) =>
      `arn:aws:${r.pick(['sns', 'sqs', 'lambda', 'connect'])}:eu-west-1:${r.number(12)}:function/${r.hex(8)}`,
  ),
  GOOGLE_API_KEY: token((r) => `AIza${r.text(URL_SAFE, 35)}`),
  GOOGLE_OAUTH_TOKEN: token((r) =>
    r.isLucky(0.5) ? `ya29.${r.text(URL_SAFE, 120)}` : `GOCSPX-${r.text(URL_SAFE, 28)}`,
  ),
  AZURE_KEY: token((r) =>
    r.isLucky(0.5)
      ? `${r.base62(42)}AzSe${r.pick(['A', 'B'])}${r.base62(5)}`
      : `${r.text(BASE64, 76)}+ASt${r.base62(5)}A==`,
  ),
  DATABRICKS_TOKEN: token((r) => `dapi${r.hex(32)}`),
  DIGITALOCEAN_TOKEN: token((r) => `do${r.pick(['p', 'o', 'r'])}_v1_${r.hex(64)}`),
  ALIBABA_ACCESS_KEY: token((r) => `LTAI${r.base62(20)}`),
  HEROKU_API_KEY: token((r) => `HRKU-${r.uuid()}`),
  FIREBASE_DOMAIN: token((r) => `https://${r.text('abcdef', 6)}-${r.digits(4)}.firebaseio.com/${r.hex(4)}`),
  HASHICORP_TOKEN: token((r) =>
    r.isLucky(0.5) ? `${r.base62(14)}.atlasv1.${r.text(URL_SAFE, 67)}` : `hvs.${r.text(URL_SAFE, 90)}`,
  ),
  GITHUB_TOKEN: token((r) =>
    r.isLucky(0.8)
      ? crcToken(r, r.pick(['ghp_', 'gho_', 'ghu_', 'ghs_']))
      : `github_pat_${r.base62(22)}_${r.base62(59)}`,
  ),
  GITLAB_TOKEN: token((r) => `glpat-${r.text(URL_SAFE, 20)}`),
  NPM_TOKEN: token((r) => crcToken(r, 'npm_')),
  PYPI_TOKEN: token((r) => `pypi-AgEIcHlwaS5vcmc${r.text(URL_SAFE, 140)}`),
  DOCKER_HUB_TOKEN: token((r) => `dckr_pat_${r.text(URL_SAFE, 27)}`),
  POSTMAN_API_KEY: token((r) => `PMAK-${r.hex(24)}-${r.hex(34)}`),
  OPENAI_API_KEY: token((r) => `sk-${r.isLucky(0.5) ? 'proj-' : ''}${r.base62(20)}T3BlbkFJ${r.base62(20)}`),
  ANTHROPIC_API_KEY: token((r) => `sk-ant-api03-${r.text(URL_SAFE, 93)}AA`),
  HUGGINGFACE_TOKEN: token((r) => `hf_${r.base62(34)}`),
  SLACK_TOKEN: token((r) => `xox${r.pick(['b', 'p', 'a'])}-${r.number(12)}-${r.number(13)}-${r.base62(24)}`),
  SLACK_WEBHOOK: token(
    (r) =>
      `https://hooks.slack.com/services/T${r.text(`${UPPER}0123456789`, 8)}/B${r.text(`${UPPER}0123456789`, 8)}/${r.base62(24)}`,
  ),
  DISCORD_TOKEN: token((r) => `${base64Url(r.number(18))}.${r.text(URL_SAFE, 6)}.${r.text(URL_SAFE, 38)}`),
  DISCORD_WEBHOOK: token((r) => `https://discord.com/api/webhooks/${r.number(18)}/${r.text(URL_SAFE, 68)}`),
  TEAMS_WEBHOOK: token(
    (r) =>
      `https://${r.text('abcdef', 6)}.webhook.office.com/webhookb2/${r.uuid()}@${r.uuid()}/IncomingWebhook/${r.hex(32)}/${r.uuid()}`,
  ),
  ZAPIER_WEBHOOK: token(
    (r) => `https://hooks.zapier.com/hooks/catch/${r.number(7)}/${r.text('abcdefgh0123456789', 7)}/`,
  ),
  TWILIO_KEY: token((r) => `${r.pick(['AC', 'SK'])}${r.hex(32)}`),
  MAILCHIMP_API_KEY: token((r) => `${r.hex(32)}-us${r.int(1, 21)}`),
  MAILGUN_API_KEY: token((r) => `key-${r.hex(32)}`),
  SENDGRID_API_KEY: token((r) => `SG.${r.text(URL_SAFE, 22)}.${r.text(URL_SAFE, 43)}`),
  STRIPE_KEY: token((r) => `${r.pick(['sk', 'rk'])}_${r.pick(['live', 'test'])}_${r.base62(24)}`),
  SQUARE_TOKEN: token((r) =>
    r.isLucky(0.5) ? `EAAA${r.text(URL_SAFE, 60)}` : `sq0csp-${r.text(URL_SAFE, 43)}`,
  ),
  RAZORPAY_KEY: token((r) => `rzp_live_${r.base62(14)}`),
  SHOPIFY_TOKEN: token((r) => `${r.pick(['shpat_', 'shpss_', 'shpca_'])}${r.hex(32)}`),
  DROPBOX_TOKEN: token((r) => `sl.${r.text(URL_SAFE, 135)}`),
  FIGMA_TOKEN: token((r) => `figd_${r.text(URL_SAFE, 40)}`),
  GRAFANA_TOKEN: token((r) => {
    const body = `glsa_${r.base62(32)}`
    return `${body}_${crc32(body).toString(16).padStart(8, '0')}`
  }),
  NOTION_TOKEN: token((r) => `secret_${r.base62(43)}`),
  FACEBOOK_TOKEN: token((r) => `EAA${r.base62(180)}`),
  TELEGRAM_BOT_TOKEN: token((r) => `${r.number(9)}:AA${r.text(URL_SAFE, 33)}`),
  ATLASSIAN_TOKEN: token((r) => {
    const body = `ATATT3xFfGF0${r.text(URL_SAFE, 170)}`
    return `${body}=${crc32(body).toString(16).toUpperCase().padStart(8, '0')}`
  }),
  LINEAR_API_KEY: token((r) => `lin_api_${r.base62(40)}`),
  NEWRELIC_KEY: token((r) => `NRAK-${r.text(`${UPPER}0123456789`, 27)}`),
  SENTRY_TOKEN: token((r) => `sntryu_${r.hex(64)}`),
  AMAZON_ADS_CLIENT: token((r) => `amzn1.application-oa2-client.${r.hex(32)}`),
  SHUTTERSTOCK_TOKEN: token((r) => `v2/${r.text(BASE64, 380)}`),
  NGROK_TOKEN: {
    keys: ['ngrokAuthtoken', 'ngrokToken'],
    kind: 'name',
    truth: (r) => `2${r.base62(26)}_${r.base62(21)}`,
  },
  PASSWORD_HASH: token((r) =>
    r.isLucky(0.5)
      ? `$2b$12$${r.text(`${BASE62}./`, 53)}`
      : `$argon2id$v=19$m=65536,t=3,p=4$${r.text(BASE64, 22)}$${r.text(BASE64, 43)}`,
  ),
  PRIVATE_KEY: token(
    (r) =>
      `-----BEGIN ${r.pick(['RSA ', 'EC ', 'OPENSSH ', ''])}PRIVATE KEY-----\n${r.text(BASE64, 64)}\n${r.text(BASE64, 64)}\n`,
  ),
  OPENVPN_KEY: token((r) => `-----BEGIN OpenVPN Static key V1-----\n${r.hex(32)}\n${r.hex(32)}\n`),
  BASIC_AUTH_URL: token(
    (r) => `https://${r.text('abcdef', 5)}:${r.base62(12)}@${r.text('abcdef', 5)}.test/x`,
  ),
  CONNECTION_STRING: token(
    (r) =>
      `${r.pick(['postgres', 'mongodb', 'mysql', 'amqp'])}://app:${r.base62(12)}@db.${r.text('abcdef', 4)}.test:5432/shop`,
  ),
  IDENTITY_PROVIDER_DOMAIN: token(
    (r) => `https://${r.text('abcdef', 6)}.${r.pick(['eu.auth0.com', 'okta.com'])}/authorize`,
  ),
  SALESFORCE_DOMAIN: token((r) => `https://${r.text('abcdef', 6)}.my.salesforce.com/services`),
  INTERNAL_HOST_NAME: token(
    (r) => `${r.text('abcdef', 5)}-${r.int(1, 9)}.${r.pick(['corp', 'internal', 'svc.cluster.local'])}`,
  ),
  STACK_TRACE: token(
    (r) =>
      `Error: ${r.hex(4)}\n    at ${r.text('abcdef', 5)}.run (/srv/${r.hex(4)}.js:${r.int(1, 99)}:${r.int(1, 40)})\n    at next (/srv/a.js:1:1)`,
  ),
  FILE_CONTENT: {
    ...token((r) => `${r.pick(['JVBERi0xLjQK', 'iVBORw0KGgoAAAA', '/9j/4AAQSkZJRg'])}${r.text(BASE64, 200)}`),
    lookAlike: (r) =>
      r.pick([
        `/9j/${r.hex(8)}/with-dashes/${r.hex(20)}.html`,
        `data: ${r.hex(30)} is a text, not a file`,
        r.text(BASE64, 120),
        `JVBERi0 ${r.hex(40)}`,
      ]),
  },
}
