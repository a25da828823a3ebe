import { burpKey } from '../../../access/index.ts'
import { Failure, reportError } from '../../../kit/index.ts'
import { baseUrlOf } from '../../base-url.ts'
import type { Handler } from '../../handler.ts'
import { wireKey } from '../account/wire-key.ts'

/** The caller's BURP key in full, made at the first call. */
export const fetchBurpCredentials: Handler<'fetchBurpCredentials'> = async (
  _input,
  { app, caller, origin },
) => {
  const host = origin ?? baseUrlOf(app.settings)
  try {
    return { apiToken: wireKey(await burpKey(app.access, caller.userId)), host }
  } catch (error) {
    app.log.error('part.failed', { part: 'burp-key', error: reportError(error) })
    throw new Failure('BURP_TOKEN_FAILED', {}, { cause: error })
  }
}
