import { Failure, isHexId } from '../../../kit/index.ts'

/** The identifier in lower case. @throws Failure `code` when it is none */
export function readHexId(text: string, code: string): string {
  const id = text.toLowerCase()
  if (!isHexId(id)) throw new Failure(code, {})
  return id
}
