/** URLs in a style sheet: `url(…)` and `@import`. */
export function scanCss(text: string): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(
    /url\(\s{0,10}["']?([^"')\s]{1,1000})|@import\s{1,10}["']([^"']{1,1000})["']/gi,
  )) {
    const url = match[1] ?? match[2]!
    if (!/^(?:data|about|#)/i.test(url)) found.add(url)
    if (found.size >= 500) break
  }
  return [...found]
}
