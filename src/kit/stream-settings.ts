import { optionalText, textSetting } from './setting-kinds.ts'
import { readStreamAddress } from './stream-address.ts'

/** Whether a text has a block of this kind, such as `-----BEGIN CERTIFICATE-----`. */
function checkPem(kind: string): (text: string) => string | null {
  return (text) =>
    new RegExp(`^-+BEGIN (?:[A-Z]+ )?${kind}-+$`, 'm').test(text) ? null : `must have a block BEGIN ${kind}`
}

/** Certificate and key; a key with a passphrase (PKCS #8, or the form of OpenSSL before it) cannot be used. */
function checkClientCertificate(text: string): string | null {
  if (/^-+BEGIN ENCRYPTED PRIVATE KEY-+|^Proc-Type: *4,ENCRYPTED/m.test(text))
    return 'has an encrypted key; decrypt it first, for example with openssl pkey'
  return checkPem('CERTIFICATE')(text) ?? checkPem('PRIVATE KEY')(text)
}

function checkStreamUrl(text: string): null {
  readStreamAddress(text)
  return null
}

function checkTopic(text: string): string | null {
  return /^[\w-]+(?:\.[\w-]+)*$/.test(text) && text.length <= 200
    ? null
    : 'must be names of letters, digits, - and _, separated by dots'
}

/** Settings of the message stream, in the order of the reference. */
export const streamSettings = {
  streamUrl: optionalText({
    accepts: 'kafka or nats URL',
    check: checkStreamUrl,
    isSecret: true,
    about:
      'Kafka brokers, or NATS servers with JetStream, to read traffic from in addition to the API: kafka://user:password@one:9092,two:9092 or nats://one:4222; kafka+tls and nats+tls use TLS. A Kafka user signs in with PLAIN unless the URL ends in ?sasl=SCRAM-SHA-256 or ?sasl=SCRAM-SHA-512. The clients are optional packages: npm install @platformatic/kafka, or npm install @nats-io/transport-node @nats-io/jetstream.',
  }),
  streamCa: optionalText({
    accepts: 'certificates as PEM',
    check: checkPem('CERTIFICATE'),
    isSecret: true,
    about:
      'Authorities whose certificates the servers of the stream have, where they are not public ones. Used with kafka+tls and nats+tls.',
  }),
  streamClientCertificate: optionalText({
    accepts: 'certificate and unencrypted key as PEM',
    check: checkClientCertificate,
    isSecret: true,
    about: 'Client certificate with its key for servers of the stream that ask for one (mutual TLS).',
  }),
  streamCredentials: optionalText({
    accepts: 'contents of a NATS credentials file',
    check: checkPem('NATS USER JWT'),
    isSecret: true,
    about:
      'Signs in to NATS servers that use accounts (JWT and NKey), in place of a user and password in the URL. Usually given as VIGIL_STREAM_CREDENTIALS_FILE, the .creds file.',
  }),
  streamTopic: textSetting({
    fallback: 'akto.api.logs',
    accepts: 'Kafka topic or NATS subject',
    check: checkTopic,
    about:
      'Topic or subject of that stream. Records that cannot be taken go to one of the same name that ends in .dead-letters, with the reason in the header vigil-reason.',
  }),
  streamGroup: textSetting({
    fallback: 'vigil',
    accepts: 'letters, digits, - and _',
    check: (text) => (/^[\w-]{1,100}$/.test(text) ? null : 'must be letters, digits, - and _'),
    about:
      'Consumer group (Kafka) or durable consumer (NATS) of that stream: all processes of one group divide the records.',
  }),
} as const
