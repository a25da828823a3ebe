import { Secret, TOTP, URI } from 'otpauth'
import { Failure, nowMs } from '../../kit/index.ts'

/**
 * The code of one time that is valid now (RFC 6238).
 *
 * @param secret base32 (RFC 4648 section 6), or an `otpauth://totp/` URI
 * @throws Failure FLOW_INVALID when it is neither
 */
export function currentCode(secret: string): string {
  try {
    return totpOf(secret).generate({ timestamp: nowMs() })
  } catch (error) {
    throw new Failure(
      'FLOW_INVALID',
      { reason: 'the secret for codes of one time cannot be read' },
      { cause: error },
    )
  }
}

function totpOf(secret: string): TOTP {
  const text = secret.trim()
  if (!/^otpauth:/i.test(text))
    return new TOTP({ secret: Secret.fromBase32(text.replace(/[\s-]/g, '').toUpperCase()) })
  const parsed = URI.parse(text)
  if (!(parsed instanceof TOTP)) throw new TypeError('the URI is of another kind of code')
  return parsed
}
