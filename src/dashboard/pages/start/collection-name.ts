/** Longest name of a collection. */
const longest = 60

/** A name for a collection out of a file's name: without its ending, and with the characters that names may have. */
export function collectionName(fileName: string): string {
  const stem = fileName.replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, '')
  const name = stem
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[-. ]+/, '')
    .slice(0, longest)
    .replace(/[-. ]+$/, '')
  return name || 'import'
}
