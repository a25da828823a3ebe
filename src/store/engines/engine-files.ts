import { fdatasyncSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

interface Stream {
  nfd: number
  path: string
}
interface Attributes {
  mode?: number
}
type SetAttributes = (target: unknown, attributes: Attributes) => void
type Write = (stream: Stream, buffer: Uint8Array, offset: number, length: number, position: number) => number

/** What is used of the file system inside the WebAssembly module (Emscripten's NODEFS). */
interface FileModule {
  NODEFS: {
    stream_ops: { fsync?: (stream: Stream) => number; write: Write; setattr: SetAttributes }
    node_ops: { setattr: SetAttributes }
    tryFSOperation<T>(operation: () => T): T
  }
  HEAPU8: Uint8Array
  /** Addresses of flags of the engine. */
  _InterruptPending: number
  _QueryCancelPending: number
}

/** Error number of "no space left on device" inside the module (WASI). */
const NO_SPACE = 51
/** Bits of a mode that are rights of other users. */
const OTHERS = 0o077
/** Files whose lack of space is an ordinary error of one statement. */
const TABLES = /\/base\//

/** How the engine's files are kept. */
interface FileCare {
  /** False leaves it to the operating system when writes reach the disk. */
  readonly isDurable: boolean
  /** Gives space up for the engine's log; false when there is none to give. */
  readonly makeRoom: () => boolean
}

/**
 * The embedded engine's view of its folder. The file system that comes with the engine answers every fsync without doing
 * anything; this one adds the missing call before the engine reads its first file, so that recovery after a crash is
 * durable too. Directories are opened like files, and their descriptor is synced. No file is open to other users.
 *
 * An engine that cannot write its log stops. When the disk is full, room is made for the log, and the statement that
 * filled it is cancelled.
 */
export class EngineFiles extends NodeFS {
  readonly #care: FileCare

  constructor(folder: string, care: FileCare) {
    super(folder)
    this.#care = care
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    // The folder's own lock decides who opens it. This one, torn by a power failure, would refuse everybody.
    rmSync(join(this.rootDir, 'postmaster.pid'), { force: true })
    const { emscriptenOpts } = await super.init(...args)
    const addCare = (module: unknown): void => this.#addTo(module as FileModule)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addCare] } }
  }

  #addTo(module: FileModule): void {
    const { NODEFS } = module
    const { isDurable, makeRoom } = this.#care
    if (isDurable) {
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        // A failure must reach the engine as its error number: it then stops, and recovers from its log.
        NODEFS.tryFSOperation(() => fdatasyncSync(nfd))
        return 0
      }
    }
    closeModes(NODEFS.stream_ops)
    closeModes(NODEFS.node_ops)
    const { write } = NODEFS.stream_ops
    NODEFS.stream_ops.write = (stream, ...data) => {
      try {
        return write(stream, ...data)
      } catch (error) {
        if ((error as { errno?: number }).errno !== NO_SPACE || TABLES.test(stream.path)) throw error
        if (!makeRoom()) throw error
        const memory = new DataView(module.HEAPU8.buffer)
        memory.setInt32(module._QueryCancelPending, 1, true)
        memory.setInt32(module._InterruptPending, 1, true)
        return write(stream, ...data)
      }
    }
  }
}

/** Leaves out the rights of other users wherever the engine sets the mode of a file itself: no umask reaches that. */
function closeModes(operations: { setattr: SetAttributes }): void {
  const { setattr } = operations
  operations.setattr = (target, attributes) =>
    setattr(
      target,
      attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~OTHERS },
    )
}

/**
 * Start parameters that make the engine use {@link EngineFiles}: its own defaults turn syncing off (-F).
 *
 * The engine's fdatasync and its open flags for synchronous writes do nothing in this build; its fsync calls the hook.
 */
export function syncParameters(defaults: readonly string[], isDurable: boolean): string[] {
  return isDurable
    ? [...defaults.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync']
    : [...defaults]
}
