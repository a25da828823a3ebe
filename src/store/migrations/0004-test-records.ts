/** The key that signs test records, one for each installation. */
export const testRecords = `
CREATE TABLE record_keys (
  id integer PRIMARY KEY CHECK (id = 1),
  -- Ed25519, SPKI in base64.
  public_key text NOT NULL,
  -- PKCS #8 in base64, sealed.
  sealed_private_key text NOT NULL,
  created_at integer NOT NULL
);
`
