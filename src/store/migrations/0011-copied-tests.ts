/** Which test a test of the editor was made from. */
export const copiedTests = `
ALTER TABLE test_templates ADD COLUMN copied_from text;
`
