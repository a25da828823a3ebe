/** The attacker's own request to an endpoint that only a document describes, as a sample message. */
export const attackerSamples = `
ALTER TABLE generated_samples ADD COLUMN attacker_message text;
`
