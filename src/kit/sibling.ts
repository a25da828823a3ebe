/**
 * URL of a neighbouring module for a worker thread: `.ts` when the sources run directly, `.js` when compiled.
 * `from` is the caller's `import.meta.url`, `name` the module without its ending, for example `./embedded-worker`.
 */
export function siblingModule(from: string, name: string): URL {
  const ending = from.endsWith('.ts') ? '.ts' : '.js'
  return new URL(`${name}${ending}`, from)
}
