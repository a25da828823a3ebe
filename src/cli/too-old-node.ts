/** Explains what an older Node.js lacks, before anything that it cannot load is loaded. */
const OLDEST = [22, 18] as const

/** Why this Node.js cannot run the program, and what to do; null where it can. */
export function tooOldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null
  return `vigil: Node.js ${version} is too old: ${OLDEST.join('.')} or newer is needed. In a clone, "npm run vigil -- <command>" uses the Node.js that npm ci installed.`
}
