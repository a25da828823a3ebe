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

/** Characters of a file that show whether it holds the results of another scanner. */
const headLength = 65_536
const findingsMarks = [/<OWASPZAPReport[\s>]/, /"@programName"\s*:\s*"ZAP"/, /"template-id"\s*:/]

/**
 * Where a file goes when nobody named a collection: to one named after it; findings of other scanners (null) to the
 * collections of their hosts.
 */
export function usualCollection(fileName: string, content: string): string | null {
  const head = content.slice(0, headLength)
  return findingsMarks.some((mark) => mark.test(head)) ? null : collectionName(fileName)
}
