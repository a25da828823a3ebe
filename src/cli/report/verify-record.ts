import { readFileSync } from 'node:fs'
import { Failure } from '../../kit/index.ts'
import { checkSignature } from '../../reports/record/signature.ts'
import { fileReason } from '../file-reason.ts'
import { printResult } from '../print-result.ts'
import type { readArguments } from '../read-arguments.ts'

/** Ends with this code when a file is not what was signed. */
const NOT_VALID = 1

/**
 * Checks the signature of a test record, without a server.
 *
 * @param publicKey the key that is trusted, SPKI in base64; null for any
 * @returns the exit code
 */
export function verifyRecord(
  given: ReturnType<typeof readArguments>,
  file: string,
  publicKey: string | null,
): number {
  const checked = checkSignature(readFile(file))
  if (checked === null)
    throw new Failure('BAD_COMMAND', { reason: `${file} is not a test record: it has no signature` })
  const isOfKey = publicKey === null || publicKey.trim() === checked.publicKey
  const isValid = checked.isValid && isOfKey
  const { format, fingerprint } = checked
  const verdict = !checked.isValid
    ? 'The file was changed after it was signed.'
    : isOfKey
      ? 'The signature is valid: the file is as it was signed.'
      : 'The file was signed with another key than the one that was given.'
  const advice =
    isValid && publicKey === null
      ? '\nCompare the fingerprint with the one that the dashboard shows under Reports, or name the key with --public-key.'
      : ''
  const text = `${verdict}\nFormat: ${format}\nKey: Ed25519 ${fingerprint}${advice}\n`
  printResult(given, { valid: isValid, format, publicKey: checked.publicKey, fingerprint }, text)
  return isValid ? 0 : NOT_VALID
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Failure('BAD_COMMAND', { reason: `${file} cannot be read: ${fileReason(error)}` })
  }
}
