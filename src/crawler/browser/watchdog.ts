import { spawn } from 'node:child_process'

/**
 * Waits for the end of its standard input, and of the lifeline where there is one, and kills the group of the browser
 * then. A line on its input ends it without doing so. Its two waits are two processes, since a shell reads one at a time.
 */
const SCRIPT = `
trap '' INT TERM HUP
bite() { kill -s KILL -- "-$1"; }
if [ "$2" = lifeline ]; then
  { read -r word <&3 || bite "$1"; } &
  exec 3<&-
fi
read -r word || bite "$1"
[ -z "$!" ] || kill -s KILL "$!"
`

/** Watches over a browser. */
interface Watchdog {
  /** The browser is gone, nobody is to be killed any more. Resolves when the watchdog has left; never rejects. */
  dismiss(): Promise<void>
}

/**
 * Has a browser killed with all its processes as soon as this process is gone, by a small separate process: a browser
 * notices the end of its pipe as well, but takes its time to leave when the machine has much to do.
 *
 * @param group process id of the browser, which leads its own group
 * @param lifeline descriptor whose other end another process holds, the end of which is that of the browser as well
 * @returns null where there is no such shell
 */
export function watchOver(group: number, lifeline: number | null): Watchdog | null {
  if (process.platform === 'win32') return null
  const words = ['-c', SCRIPT, 'vigil-watchdog', String(group), lifeline === null ? 'alone' : 'lifeline']
  const child = spawn('/bin/sh', words, {
    // No signal of a terminal ends it before its time.
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore', ...(lifeline === null ? [] : [lifeline])],
  })
  const left = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    // Without a shell only the closed pipe ends the browser.
    child.once('error', () => resolve())
  })
  const { stdin } = child
  stdin?.on('error', () => {}) // it has gone already
  child.unref()
  return {
    dismiss() {
      stdin?.end('done\n')
      return left
    },
  }
}
