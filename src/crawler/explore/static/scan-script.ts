import {
  looksLikeBarePath,
  looksLikeTarget,
  MAX_FINDINGS,
  type ScriptEndpoint,
  type TextFindings,
} from './found-in-text.ts'

/**
 * Reads endpoints, routes and links in any text by patterns: scripts that are too large or broken, comments, answers. Each
 * pattern runs once over the text and has no nested repetition.
 */
export function scanScript(text: string): TextFindings {
  const endpoints = new Map<string, ScriptEndpoint>()
  const links = new Set<string>()
  const routes = new Set<string>()
  const scripts = new Set<string>()
  for (const match of text.matchAll(/["'`]([^"'`\s<>]{2,300})["'`]/g)) {
    if (links.size + endpoints.size >= MAX_FINDINGS) break
    const value = match[1]!.replace(/\$\{[^{}]{0,100}\}/g, '{}').replace(/^\{\}(?=\/)/, '')
    if (looksLikeTarget(value)) links.add(value)
    else if (looksLikeBarePath(value)) {
      endpoints.set(value, { method: 'GET', url: value, bodyKeys: null, isCall: false })
    } else if (/^(?:\.{0,2}\/)?[\w/.-]+\.m?js$/.test(value)) scripts.add(value)
  }
  for (const match of text.matchAll(/\bpath\s{0,4}:\s{0,4}["'`]([\w/:*{}.-]{1,120})["'`]/g)) {
    if (routes.size >= MAX_FINDINGS) break
    routes.add(match[1]!)
  }
  for (const match of text.matchAll(/(?:https?:)?\/\/[\w.-]+(?::\d{1,5})?\/[\w.~/?#%&=:@+,-]{0,300}/g)) {
    if (links.size >= MAX_FINDINGS) break
    links.add(match[0].replace(/[.,:]+$/, ''))
  }
  return { endpoints: [...endpoints.values()], routes: [...routes], links: [...links], scripts: [...scripts] }
}
