import type { Exchange } from '../../http/index.ts'

/** Label of samples whose request was made from a document, not recorded. */
export const GENERATED = 'vigil-generated'

/** Whether the request of a sample was made from a document. */
export function isGenerated(sample: Exchange | null): boolean {
  return sample?.tags?.[GENERATED] !== undefined
}
