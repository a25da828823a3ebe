import { authKind } from '../auth-kind.ts'
import { isAuthorizationHeader } from '../credential-names.ts'

export default authKind({
  id: 'AWS_SIGV4',
  wireName: 'AUTHORIZATION_HEADER',
  summary: 'A request signed for Amazon Web Services (Signature Version 4 or 4A).',
  header: isAuthorizationHeader,
  headerDetail: (value) => (/^AWS4-(?:HMAC|ECDSA)-/i.test(value) ? 'aws-sigv4' : undefined),
  cases: [
    {
      headers: {
        authorization:
          'AWS4-HMAC-SHA256 Credential=A/20230309/eu/s3/aws4_request, SignedHeaders=host, Signature=0',
      },
      expect: true,
      because: 'algorithm, credential, signature',
    },
    { headers: { authorization: 'HMAC ann:9f86d081' }, expect: false, because: 'another scheme' },
  ],
})
