/**
 * Settings of V8 and Node.js with which a server holds some 130 MB less when idle; docs/performance.md tells what each
 * is for. A process gets them only at its start.
 */
const serverFlags = [
  '--heap-growing-percent=70',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=2',
  '--wasm-num-compilation-tasks=1',
  '--no-wasm-code-gc',
  '--max-semi-space-size=4',
]

/**
 * Settings of the C library (glibc; others ignore them): a piece of memory from this size on is mapped, and goes back to
 * the system when it is freed. By default the limit grows with the pieces that were freed, and the buffers of busy hours
 * stay with the process.
 */
const serverEnvironment = { MALLOC_MMAP_THRESHOLD_: String(64 * 1024) }

/** The settings that a process with these arguments of Node.js lacks: none when somebody chose any of them. */
function missingServerFlags(execArgv: readonly string[]): readonly string[] {
  const names = new Set(serverFlags.map(nameOf))
  return execArgv.some((flag) => names.has(nameOf(flag))) ? [] : serverFlags
}

function nameOf(flag: string): string {
  return flag.split('=')[0]!
}

/**
 * Replaces this process by one of the same number with the settings of a server. Returns where that is not needed, or
 * not possible (Windows, Node.js before 22.15): the server runs without them then.
 */
export function takeServerFlags(): void {
  const missing = missingServerFlags(process.execArgv)
  if (missing.length === 0 || process.execve === undefined || process.platform === 'win32') return
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)],
    { ...serverEnvironment, ...process.env },
  )
}
