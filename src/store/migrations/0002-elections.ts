/** Who does what only one process of a store does; `holder` is a random name, and the time is that of the database. */
export const elections = `
CREATE TABLE elections (
  name text PRIMARY KEY,
  holder text NOT NULL,
  until timestamptz NOT NULL
);
`
