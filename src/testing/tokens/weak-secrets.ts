import { createHmac } from 'node:crypto'
import { hmacHashOf, type Jwt } from './jwt.ts'

/** Words that developers sign with until they choose a secret, the commonest first. */
const WORDS =
  'secret key jwt token password private random access auth admin test testing dev development prod production demo example sample default local app api server backend service user login session signing signature secure security super master root qwerty letmein welcome changeme change_me changethis replaceme placeholder todo none null undefined true hello world foo bar foobar node express flask django spring laravel rails nest fastapi abc abcd abcdef abc123 iloveyou dragon monkey shadow sunshine princess football mysecret thesecret topsecret verysecret supersecret notsosecret shhh shhhh shhhhh mykey mytoken mypassword passw0rd p@ssw0rd password1 password123 admin123 secret1 secret123 test123 123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 000000 111111 654321 mysupersecret mysecretkey my_secret_key my-secret-key your_secret_key your-secret-key yoursecretkey your_jwt_secret your-jwt-secret your-256-bit-secret your-384-bit-secret your-512-bit-secret a-string-secret-at-least-256-bits-long'.split(
    ' ',
  )
const ENDINGS = ['key', 'token', 'secret', 'password', '123', '!', '1']
const JOINTS = ['', '_', '-', ' ']

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}

/** Secrets that are tried on signatures: words, their other letter cases, and words with usual endings. */
export const COMMON_SECRETS: readonly string[] = [
  ...new Set(
    WORDS.flatMap((word) => [
      word,
      ...ENDINGS.flatMap((end) => [...JOINTS.map((joint) => word + joint + end), word + capital(end)]),
    ])
      .flatMap((text) => [text, capital(text), text.toUpperCase()])
      .concat(''),
  ),
]

/** Signatures that were tried last, with what came of it: every endpoint of a run carries the same few tokens. */
const tried = new Map<string, string | null>()
const MOST_TRIED = 100

/** The common secret that a token is signed with; null when none is, or it is not signed with a shared secret. */
export function secretOf(jwt: Jwt): string | null {
  const hash = hmacHashOf(jwt)
  if (hash === null) return null
  const [head, body, signature] = jwt.parts
  const signed = `${head}.${body}`
  const known = tried.get(`${signed}.${signature}`)
  if (known !== undefined) return known
  const wanted = Buffer.from(signature, 'base64').toString('base64url')
  const isRight = (secret: string): boolean =>
    createHmac(hash, secret).update(signed).digest('base64url') === wanted
  const found = COMMON_SECRETS.find(isRight) ?? null
  if (tried.size >= MOST_TRIED) tried.clear()
  tried.set(`${signed}.${signature}`, found)
  return found
}
