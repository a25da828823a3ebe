import { dataType, example } from '../data-type.ts'

const HEADING = /^-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/

export default dataType({
  name: 'PRIVATE_KEY',
  summary: 'A private key in PEM armour (RFC 7468, OpenSSH, OpenPGP).',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [64, 65_536], starts: ['-----BEGIN '] },
  verify: (value) => (HEADING.test(value.slice(0, 80)) ? 99 : 0),
  cases: [
    {
      value: example(
        '-----BEGIN RSA PRIV',
        'ATE KEY-----\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt',
      ),
      key: 'key',
      expect: true,
      because: 'PKCS #1',
    },
    {
      value: example(
        '-----BEGIN PRIV',
        'ATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTU',
      ),
      key: 'private_key',
      expect: true,
      because: 'PKCS #8 with escaped line ends, as in service account files',
    },
    {
      value: '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHC',
      key: 'key',
      expect: false,
      because: 'a public key',
    },
    {
      value: '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYD',
      key: 'pem',
      expect: false,
      because: 'a certificate',
    },
  ],
})
