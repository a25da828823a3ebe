import { TypeTags } from './type-tags.tsx'

/** Kinds of authentication; calls without any stand out. */
export function AuthTags({ kinds }: { kinds: readonly string[] }) {
  return <TypeTags names={kinds} tone={kinds.includes('UNAUTHENTICATED') ? 'orange' : 'green'} most={2} />
}
