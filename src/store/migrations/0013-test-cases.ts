/** The cases beside a test that was written in the dashboard. */
export const testCases = `
ALTER TABLE test_templates ADD COLUMN cases text;
`
