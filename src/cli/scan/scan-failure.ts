/** A scan that cannot go on; the message says why, for people. */
export class ScanFailure extends Error {
  override readonly name = 'ScanFailure'
}
