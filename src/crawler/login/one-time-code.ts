import { createHash } from 'node:crypto'
import { Secret, TOTP, URI } from 'otpauth'
import { delay } from '../../http/sender/index.ts'
import { Failure, nowMs } from '../../kit/index.ts'

/**
 * Asks for a time step (RFC 6238 section 4.2) of the codes of a secret that nobody else gets.
 *
 * @param digest tells secrets apart, hexadecimal
 * @param step the one that is now
 * @returns the first one from then on that is free
 */
export type TakeCodeStep = (digest: string, step: number) => Promise<number>

/** A code that ends so soon may be over when it arrives; of short time steps it is a tenth. */
const LATE_MS = 2_000

/**
 * The one-time code that is valid now (RFC 6238).
 *
 * @param secret base32 (RFC 4648 section 6), or an `otpauth://totp/` URI
 * @throws Failure FLOW_INVALID when it is neither
 */
export function currentCode(secret: string): string {
  return totpOf(secret).generate({ timestamp: nowMs() })
}

/**
 * A one-time code that nobody has typed before: servers take each once (RFC 6238 section 5.2). Waits for the time step
 * after the last one that was used.
 *
 * @param secret base32 (RFC 4648 section 6), or an `otpauth://totp/` URI
 * @param signal ends the wait
 * @throws Failure FLOW_INVALID when the secret is neither; what `take` throws; the reason of the signal
 */
export async function unusedCode(secret: string, take: TakeCodeStep, signal: AbortSignal): Promise<string> {
  const totp = totpOf(secret)
  const stepMs = totp.period * 1000
  const digest = createHash('sha256').update(`${totp.period} `).update(totp.secret.bytes).digest('hex')
  for (;;) {
    const step = await take(digest, Math.floor((nowMs() + Math.min(LATE_MS, stepMs / 10)) / stepMs))
    const waitMs = step * stepMs - nowMs()
    if (waitMs > 0) await delay(waitMs, signal)
    // Anyone who was kept for long asks again.
    if (nowMs() < (step + 1) * stepMs) return totp.generate({ timestamp: step * stepMs })
  }
}

/** @throws Failure FLOW_INVALID */
function totpOf(secret: string): TOTP {
  try {
    return readTotp(secret)
  } catch (error) {
    throw new Failure(
      'FLOW_INVALID',
      { reason: 'the secret for one-time codes cannot be read' },
      { cause: error },
    )
  }
}

function readTotp(secret: string): TOTP {
  const text = secret.trim()
  if (!/^otpauth:/i.test(text))
    return new TOTP({ secret: Secret.fromBase32(text.replace(/[\s-]/g, '').toUpperCase()) })
  const parsed = URI.parse(text)
  if (!(parsed instanceof TOTP)) throw new TypeError('the URI is of another kind of code')
  return parsed
}
