import { authKind } from '../auth-kind.ts'
import { isOrdinaryCookie, mayCarryCredential } from '../credential-names.ts'
import { algorithmOfToken } from '../token-algorithm.ts'

const TOKEN_KEY = /token|jwt|auth|assertion|bearer/

export default authKind({
  id: 'JWT',
  wireName: 'JWT',
  summary: 'A JSON Web Token in a header (with or without scheme), a cookie or a query parameter.',
  header: mayCarryCredential,
  seeksToken: true,
  headerDetail: algorithmOfToken,
  cookie: (name) => !isOrdinaryCookie(name),
  cookieDetail: algorithmOfToken,
  queryKey: (name) => TOKEN_KEY.test(name),
  queryDetail(query) {
    for (const key in query) {
      const value = TOKEN_KEY.test(key.toLowerCase()) ? query[key] : undefined
      const algorithm = typeof value === 'string' ? algorithmOfToken(value) : undefined
      if (algorithm !== undefined) return algorithm
    }
    return undefined
  },
  cases: [
    {
      headers: { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl' },
      expect: true,
      because: 'borne in the authorization header',
    },
    {
      headers: { cookie: 'language=en; token=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2ln-bmF0_dXJl' },
      expect: true,
      because: 'in a cookie, URL-safe alphabet',
    },
    {
      headers: { 'x-id': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl' },
      expect: true,
      because: 'in any header',
    },
    {
      query: { access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2ln' },
      expect: true,
      because: 'in the address',
    },
    {
      headers: { cookie: 'CF_Authorization=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl' },
      expect: true,
      because: 'Cloudflare Access; its other cookies are not credentials',
    },
    {
      headers: { cookie: '_ga_session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl' },
      expect: false,
      because: 'a cookie of statistics proves nothing about the caller',
    },
    { headers: { authorization: 'Bearer eyewitness.report.2023' }, expect: false, because: 'no JOSE header' },
  ],
})
