/** The one organisation that an installation serves, where records of the interface name an account. */
export const organisationId = 1_000_000
