import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Failure, Slots } from '../kit/index.ts'
import { type HashCost, hashCost } from './hash-cost.ts'
import { findWeakness, type Weakness } from './password-strength.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32
/** No stored hash may ask for more memory than this, whatever its numbers say. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024

/** Two at a time keep hashing under 64 MiB and leave threads of the pool to files and compression. */
const hashing = new Slots(2, 100)

/** Matches no password; stands for users who cannot sign in with one. */
export const noPassword = ''

const MIN_LENGTH = 12
const MAX_LENGTH = 128
/** Known to everyone who attacks this product. */
const PRODUCT = 'vigil'

const ADVICE: Readonly<Record<Weakness, string>> = {
  common: 'it is close to a common password',
  pattern: 'it is mostly repeated or neighbouring characters',
  personal: 'it is mostly your e-mail address or the name of this product',
}

/**
 * Refuses passwords outside the rule: 12 to 128 characters (code points) that are not easy to guess.
 *
 * @param login e-mail address of the person, which the password must not be made of
 * @throws Failure WEAK_PASSWORD with the `reason`: what is wrong and what to change
 */
export async function checkPassword(password: string, login: string): Promise<void> {
  const length = [...password].length
  if (length < MIN_LENGTH) refuse(`Password is too short: use at least ${MIN_LENGTH} characters`)
  if (length > MAX_LENGTH) refuse(`Password is too long: use at most ${MAX_LENGTH} characters`)
  const weakness = await findWeakness(password, [login, PRODUCT])
  if (weakness === null) return
  refuse(`Password is easy to guess: ${ADVICE[weakness]}. Use several unrelated words, or a password manager`)
}

function refuse(reason: string): never {
  throw new Failure('WEAK_PASSWORD', { reason })
}

/** Salted hash of a password as text: `scrypt$15$8$3$<salt>$<hash>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const cost = hashCost()
  const hash = await derive(password, salt, cost)
  const { logN, r, p } = cost
  return ['scrypt', logN, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** True when the password is the one behind the hash. Takes as long for {@link noPassword} as for a real one. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, logN, r, p, salt, hash] = stored.split('$')
  if (kind !== 'scrypt' || salt === undefined || hash === undefined) {
    await derive(password, randomBytes(SALT_BYTES), hashCost())
    return false
  }
  const wanted = Buffer.from(hash, 'base64url')
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) }
  const given = await derive(password, Buffer.from(salt, 'base64url'), cost)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

function derive(password: string, salt: Buffer, { logN, r, p }: HashCost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: MAX_MEMORY_BYTES }
  return hashing.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}
