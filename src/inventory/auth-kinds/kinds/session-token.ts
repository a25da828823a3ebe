import { authKind } from '../auth-kind.ts'
import { isOrdinaryCookie, isUnguessable, squeezed } from '../credential-names.ts'
import { algorithmOfToken } from '../token-algorithm.ts'

/** Whole names: those of frameworks, then those of products that name their session after themselves. */
const WHOLE_NAME = new RegExp(
  `^(?:${[
    'sid|session|sessionid|phpsessid|aspsessionid[a-z]*|asp\\.net_sessionid|\\.aspxauth|cfid|cftoken|auth|token|jwt',
    'jsessionid(?:sso|\\..+)?|remember_?me|remember_token|remember_web_[0-9a-f]+|s?sess[0-9a-f]{32}|_\\w+_key|cakephp',
    '\\.aspnet(?:core)?\\.(?:cookies|session|applicationcookie|identity\\.application)(?:c\\d)?|idsrv|__ac',
    'cf_appsession|_shibsession_.*|awselbauthsessioncookie-\\d|_oauth2_proxy.*|saml.*|ltpatoken2?|fedauth\\d?|msisauth\\d?',
    'iplanetdirectorypro|amauthcookie|obssocookie.*|keycloak_identity(?:_legacy)?|estsauth(?:persistent)?|x-ms-cpim-sso.*',
    'wordpress_(?:logged_in|sec)_.*|prestashop-[0-9a-f]{32}|frontend|adminhtml|[fb]e_typo_user|li_at|i_like_gitea',
    'oc_sessionpassphrase|seraph\\.rememberme\\.cookie|auth0(?:_compat)?',
  ].join('|')})$`,
)
/** Ends of names; long values are cut into numbered pieces. */
const END_OF_NAME =
  /(?:session|session[-_.]?id|sess|sessid|session[-_.]?token|auth[-_.]?token|access[-_.]?token|id[-_.]?token|user[-_.]?token|api[-_.]?token|[-_.]sid|[-_.]auth|_remember_me)(?:[._]\d)?$/
const HEADER = new Set(['xsessionid', 'xsessiontoken', 'sessionid', 'sessiontoken', 'xsession', 'session'])
const QUERY = new Set(['jsessionid', 'phpsessid', 'sessionid', 'sessiontoken'])

/** Cookie name without the prefixes of RFC 6265bis. */
function bareName(name: string): string {
  return name.replace(/^__(?:host|secure)-/, '')
}

function isSession(name: string): boolean {
  return !isOrdinaryCookie(name) && (WHOLE_NAME.test(name) || END_OF_NAME.test(name))
}

export default authKind({
  id: 'SESSION_TOKEN',
  wireName: 'SESSION_TOKEN',
  summary: 'A session cookie or header: named like one, with a value that cannot be guessed.',
  header: (name) => HEADER.has(squeezed(name)) || squeezed(name).endsWith('sessiontoken'),
  headerDetail: (value) => (isUnguessable(value) ? 'header' : undefined),
  cookie: (name) => isSession(bareName(name)),
  // A JWT has its own name.
  cookieDetail: (value) =>
    algorithmOfToken(value) !== undefined || !isUnguessable(value) ? undefined : 'cookie',
  queryKey: (name) => QUERY.has(squeezed(name)),
  cases: [
    { headers: { cookie: 'JSESSIONID=0A1B2C3D4E5F60718293A4B5C6D7E8F9' }, expect: true, because: 'Java' },
    {
      headers: { cookie: 'lang=en; connect.sid=s%3Aj4Kd9sLq2mXz8vBn1cTf' },
      expect: true,
      because: 'Express',
    },
    {
      headers: { cookie: '__Host-shop_session=j4Kd9sLq2mXz8vBn1cTf' },
      expect: true,
      because: 'behind a prefix',
    },
    {
      headers: { cookie: 'laravel_session=eyJpdiI6IjEyMyIsInZhbHVlIjoiYWJjIiwibWFjIjoiZCJ9' },
      expect: true,
      because: 'Laravel: JSON in base64 that is not a JWT',
    },
    {
      headers: { cookie: 'session=eyJ1c2VyX2lkIjo0Mn0.ZVr8yA.3nYk0sHjF4oZc7Qm2T3l1pQ9uXw' },
      expect: true,
      because: 'Flask: three parts, the first no header of a JWT',
    },
    {
      headers: { cookie: '.AspNetCore.Cookies=CfDJ8NhSdK0abcdef123456' },
      expect: true,
      because: 'ASP.NET Core',
    },
    {
      headers: { cookie: 'KEYCLOAK_IDENTITY_LEGACY=aXNzdWVkLWZvci1hbm4tMDEyMw' },
      expect: true,
      because: 'Keycloak',
    },
    { headers: { cookie: 'LtpaToken2=Zm9yLWFubi0wMTIzNDU2Nzg5' }, expect: true, because: 'WebSphere' },
    { headers: { cookie: '_shop_key=SFMyNTY.g3QAAAABbQAAAAdfY3NyZg' }, expect: true, because: 'Phoenix' },
    {
      headers: { cookie: 'JSESSIONID.1f2e3d4c=node01abcdefghijk2lmnop3' },
      expect: true,
      because: 'Jenkins: one for each installation',
    },
    {
      headers: { cookie: 'next-auth.session-token.0=4f8aK2mXz81vBn1cTfQp' },
      expect: true,
      because: 'a value cut into pieces',
    },
    {
      headers: { cookie: '.AspNetCore.Antiforgery.9TtSrW0hzOs=CfDJ8NhSdK0abcdef123456' },
      expect: false,
      because: 'protects against forgery',
    },
    {
      headers: { cookie: 'session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl' },
      expect: false,
      because: 'a JWT has its own type',
    },
    {
      headers: { cookie: 'language=en; cookieconsent_status=dismiss' },
      expect: false,
      because: 'language and consent',
    },
    {
      headers: { cookie: '_ga=GA1.2.1234567890.1678373430; _hjSession_42=eyJpZCI6IjEyMyJ9AAAA' },
      expect: false,
      because: 'statistics',
    },
    {
      headers: { cookie: 'continueCode=v7BmaPZbQ7NroLqvm1YzMVnwOBAVkTefndgpE5jk' },
      expect: false,
      because: 'progress in a game',
    },
    { headers: { cookie: 'session=guest' }, expect: false, because: 'anyone can guess it' },
  ],
})
