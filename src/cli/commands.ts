import type { Command } from './command.ts'
import { start } from './start.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [start]
