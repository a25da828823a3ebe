import { authWord } from './endpoint-words.ts'
import { TypeTags } from './type-tags.tsx'

/** Kinds of authentication; calls without any stand out. */
export function AuthTags({ kinds }: { kinds: readonly string[] }) {
  const tone = kinds.includes('UNAUTHENTICATED') ? 'orange' : 'green'
  return <TypeTags names={kinds} tone={tone} most={2} word={authWord} />
}
