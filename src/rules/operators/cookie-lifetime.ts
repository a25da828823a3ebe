import { nowMs } from '../../kit/index.ts'

const MONTH_SECONDS = 2_592_000

/** Whether a Set-Cookie text (RFC 6265 section 4.1) keeps its cookie for at least two months of thirty days. */
export function livesLong(cookie: string): boolean {
  return Math.floor(lifetimeSeconds(cookie) / MONTH_SECONDS) > 1
}

function lifetimeSeconds(cookie: string): number {
  const age = /;\s*max-age\s*=\s*(-?\d{1,12})/i.exec(cookie)
  if (age !== null) return Number(age[1])
  const expires = /;\s*expires\s*=\s*([^;]{1,60})/i.exec(cookie)
  const at = expires === null ? Number.NaN : Date.parse(expires[1]!)
  return Number.isNaN(at) ? -1 : (at - nowMs()) / 1000
}
