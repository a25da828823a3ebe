import { authKind } from '../auth-kind.ts'

const NAMES = new Set(
  (
    'client-cert client-cert-chain x-client-cert x-client-certificate x-ssl-client-cert ssl-client-cert ' +
    'x-forwarded-client-cert x-amzn-mtls-clientcert x-amzn-mtls-clientcert-leaf x-arr-clientcert x-ssl-cert ' +
    'ssl-client-verify x-ssl-client-verify x-client-verify x-ssl-client-s-dn x-ssl-client-dn x-client-dn ' +
    'ssl-client-subject-dn x-ssl-client-subject-dn x-client-cert-subject-dn x-ssl-client-cn x-forwarded-tls-client-cert ' +
    'x-forwarded-tls-client-cert-info x-client-cert-present x-client-cert-chain-verified x-amzn-mtls-clientcert-subject ' +
    'x-amzn-mtls-clientcert-serial-id x-ssl-client-fingerprint x-client-cert-fingerprint x-client-cert-hash cf-client-cert-der-base64'
  ).split(' '),
)
const NO_CERTIFICATE = /^(?:\(null\)|null|none|false|0|no|failed.*|-)?$/i

export default authKind({
  id: 'MTLS',
  wireName: 'MTLS',
  summary:
    'A client certificate, as the proxy that ended the TLS connection reports it (RFC 9440 and its forerunners).',
  header: (name) => NAMES.has(name),
  headerDetail: (value) => (NO_CERTIFICATE.test(value.trim()) ? undefined : 'client-certificate'),
  cases: [
    {
      headers: { 'client-cert': ':MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6:' },
      expect: true,
      because: 'RFC 9440',
    },
    { headers: { 'x-ssl-client-verify': 'SUCCESS' }, expect: true, because: 'nginx' },
    { headers: { 'x-forwarded-tls-client-cert': 'MIIBqDCCAU6g' }, expect: true, because: 'Traefik' },
    { headers: { 'ssl-client-subject-dn': 'CN=ann' }, expect: true, because: 'the ingress of nginx' },
    { headers: { 'x-client-cert-present': 'false' }, expect: false, because: 'no certificate was shown' },
    { headers: { 'x-ssl-client-verify': 'NONE' }, expect: false, because: 'no certificate was shown' },
    { headers: { 'x-ssl-protocol': 'TLSv1.3' }, expect: false, because: 'plain TLS' },
  ],
})
