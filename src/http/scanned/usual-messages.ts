import { BatchScanner, FIELD } from './batch-scanner.ts'

/** Tells which texts hold one message of the usual form each, without building what they hold. */
export class UsualMessages {
  readonly #scanner = new BatchScanner()

  /**
   * @param texts what may be JSON
   * @param list the same texts between brackets, with commas and nothing else between them
   * @returns for each text whether it is one message in an object that names its method; false also where it must be
   *   looked at in itself
   */
  among(texts: readonly Uint8Array[], list: Uint8Array): boolean[] {
    const scanner = this.#scanner
    if (!scanner.read(list) || scanner.count !== texts.length) return texts.map(() => false)
    // With lengths alike everywhere each message stands where its text does: there is room for nothing else.
    if (texts.some(({ byteLength }, index) => scanner.rawBytes(index).byteLength !== byteLength))
      return texts.map(() => false)
    return texts.map((_, index) => scanner.isReadable(index) && scanner.startOf(index, FIELD.method) !== 0)
  }
}
