/** One invented person for a whole crawl, so that repeated fields match and stored data can be recognised. */
export interface Persona {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly userName: string
  readonly password: string
}

/** The person of a crawl. `tag` is short, lower case, different for every crawl. */
export function personaOf(tag: string): Persona {
  return {
    firstName: 'Vera',
    lastName: 'Vigil',
    email: `vigil.${tag}@example.com`,
    userName: `vigil${tag}`,
    // Upper and lower case, a digit and a sign: what most rules for passwords want.
    password: `Vigil-${tag}-7!`,
  }
}
