/** A step of a recording that failed. The sentence is for people and holds nothing that was typed. */
export class FlowError extends Error {
  /** Number of the step, from 1; 0 for what came before or after the steps. */
  readonly step: number

  constructor(step: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FlowError'
    this.step = step
  }
}

const MIN_SECRET = 3

/** A sentence without the texts that were typed. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets.toSorted((one, other) => other.length - one.length))
    if (secret.length >= MIN_SECRET) clean = clean.replaceAll(secret, '…')
  return clean.slice(0, 500)
}
