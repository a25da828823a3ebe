import { loadTypeRules, maskUrlsIn } from '../inventory/index.ts'
import type { Store } from '../store/index.ts'

/**
 * Masks the URLs in a text for lists and logs, where they are names: passwords, credentials and values of sensitive data
 * types. The messages behind them stay whole; `shownMessages` decides who sees those.
 */
export async function urlMask(store: Store): Promise<(text: string) => string> {
  const rules = await loadTypeRules(store)
  return (text) => maskUrlsIn(text, rules)
}
