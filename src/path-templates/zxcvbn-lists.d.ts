declare module '@zxcvbn-ts/language-en/dist/commonWords.json.mjs' {
  const words: readonly string[]
  export default words
}
declare module '@zxcvbn-ts/language-en/dist/firstnames.json.mjs' {
  const names: readonly string[]
  export default names
}
