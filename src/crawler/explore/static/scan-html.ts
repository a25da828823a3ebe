import { analyseScript } from './analyse-script.ts'
import { MAX_FINDINGS, type TextFindings } from './found-in-text.ts'
import { scanScript } from './scan-script.ts'

/**
 * Reads what a rendered page no longer shows in the raw text of a document: comments, `noscript`, the doctype, inline
 * scripts.
 */
export function scanHtml(text: string): TextFindings {
  const links = new Set<string>()
  const routes = new Set<string>()
  const scripts = new Set<string>()
  const endpoints = new Map<string, TextFindings['endpoints'][number]>()
  const take = (found: TextFindings) => {
    for (const endpoint of found.endpoints) endpoints.set(`${endpoint.method} ${endpoint.url}`, endpoint)
    for (const link of found.links) links.add(link)
    for (const route of found.routes) routes.add(route)
    for (const script of found.scripts) scripts.add(script)
  }
  for (const comment of between(text, '<!--', '-->')) {
    for (const url of attributeUrls(comment)) links.add(url)
    take(scanScript(comment))
    for (const path of loosePaths(comment)) links.add(path)
  }
  for (const inner of between(text, '<noscript', '</noscript'))
    for (const url of attributeUrls(inner)) links.add(url)
  for (const script of inlineScripts(text)) take(analyseScript(script))
  // Parsers drop frames that stand outside of a frameset.
  for (const match of text.matchAll(/<frame\s{1,10}[^>]{0,1000}>/gi)) {
    for (const url of attributeUrls(match[0])) links.add(url)
  }
  const doctype = /<!doctype[^>]{0,500}>/i.exec(text.slice(0, 5000))
  for (const match of (doctype?.[0] ?? '').matchAll(/"([^"]{1,300})"/g)) {
    if (/^(?:https?:|\/)/.test(match[1]!) && !match[1]!.startsWith('-//')) links.add(match[1]!)
  }
  const base = baseFolder(text)
  for (const path of loosePaths(visibleText(text))) {
    links.add(path)
    // Texts name paths as the application knows them: below its base.
    if (base !== '' && /^\/(?!\/)/.test(path)) links.add(base + path)
  }
  return {
    endpoints: [...endpoints.values()].slice(0, MAX_FINDINGS),
    links: [...links].slice(0, MAX_FINDINGS),
    routes: [...routes].slice(0, MAX_FINDINGS),
    scripts: [...scripts].slice(0, MAX_FINDINGS),
  }
}

/** The inline scripts of a document. */
export function* inlineScripts(text: string): Generator<string> {
  for (const script of between(text, '<script', '</script')) {
    const start = script.indexOf('>')
    if (start >= 0 && start + 1 < script.length) yield script.slice(start + 1)
  }
}

/** Path of the document's base without the slash at its end; '' where it is the root, or on another host. */
function baseFolder(text: string): string {
  const [, path = ''] =
    /<base\s[^>]{0,500}?href\s{0,5}=\s{0,5}["']?(\/[^"'\s>/][^"'\s>]{0,300})/i.exec(text) ?? []
  return path.replace(/\/+$/, '')
}

/** Texts between two marks, at most 2,000. */
function* between(text: string, open: string, close: string): Generator<string> {
  const lower = text.toLowerCase()
  let at = 0
  for (let i = 0; i < 2000; i++) {
    const start = lower.indexOf(open, at)
    if (start < 0) return
    const end = lower.indexOf(close, start + open.length)
    if (end < 0) return
    yield text.slice(start + open.length, end)
    at = end + close.length
  }
}

/** Values of attributes that carry URLs in raw markup. */
function attributeUrls(markup: string): string[] {
  const found: string[] = []
  for (const match of markup.matchAll(
    /\b(?:href|src|action|formaction|data|poster|cite|manifest|background|url)\s{0,5}=\s{0,5}["']?([^"'\s>]{1,1000})/gi,
  )) {
    if (found.length >= 500) break
    if (!/^(?:javascript|mailto|tel|data|about):/i.test(match[1]!))
      found.push(match[1]!.replaceAll('&amp;', '&'))
  }
  return found
}

/** Paths and URLs in plain text. */
function loosePaths(text: string): string[] {
  const found: string[] = []
  for (const match of text
    .slice(0, 500_000)
    .matchAll(
      /(?<![\w/.:<"'=])(?:https?:\/\/[\w.-]+(?::\d{1,5})?\/|\.{0,2}\/)[\w~%-]{1,80}[\w.~/%?=&-]{0,300}/g,
    )) {
    if (found.length >= 200) break
    const path = match[0].replace(/[.,]+$/, '')
    if (/^https?:/.test(path) || path.split('/').filter(Boolean).length > 1 || /\.\w{2,5}$/.test(path))
      found.push(path)
  }
  return found
}

/** Text of a document without its markup, scripts and styles; blanks for what was taken out. */
function visibleText(markup: string): string {
  let text = markup
  for (const tag of ['script', 'style']) {
    for (const inner of between(markup, `<${tag}`, `</${tag}`)) {
      if (inner.length > 0) text = text.replace(inner, ' ')
    }
  }
  return text.replace(/<[^<>]{0,2000}>/g, ' ')
}
