import { loadTypeRules, maskUrl, maskUrlsIn } from '../inventory/index.ts'
import type { Store } from '../store/index.ts'

/** Longest text that is masked: about twice what is kept of a URL or a line. Masking takes some milliseconds then. */
const MAX_MASKED = 16_384

/**
 * Masks the URLs in a text for lists and logs, where they are names: passwords, credentials and values of sensitive data
 * types. A longer text is cut. The messages behind them stay whole; `shownMessages` decides who sees those.
 */
export async function urlMask(store: Store): Promise<(text: string) => string> {
  const rules = await loadTypeRules(store)
  return (text) => maskUrlsIn(text.slice(0, MAX_MASKED), rules)
}

/** A URL, or a path with its query, as {@link urlMask} shows it. */
export async function shownUrl(store: Store, url: string): Promise<string> {
  return maskUrl(url.slice(0, MAX_MASKED), await loadTypeRules(store))
}
