import type { PlainKey, t } from '../i18n/translate.ts'

const words: Readonly<Record<string, PlainKey>> = {
  'own-traffic': 'drop.ownTraffic',
  preflight: 'drop.preflight',
  'no-answer': 'drop.noAnswer',
  interim: 'drop.interim',
  probe: 'drop.probe',
  static: 'drop.static',
  'html-page': 'drop.page',
}

/** What an admission rule leaves out, in words; rules of later servers by their own name. */
export function dropWord(rule: string, text: typeof t): string {
  const key = Object.hasOwn(words, rule) ? words[rule] : undefined
  return key === undefined ? rule : text(key)
}
