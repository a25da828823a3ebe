/** What one command does; its file is loaded when it is called. */
export interface Command {
  /** Usage, what it does, flags; ends with a line feed. */
  readonly help: string
  /**
   * Runs with the arguments after the name.
   *
   * @returns the exit code
   */
  run(args: string[]): Promise<number>
}

export interface ListedCommand {
  readonly name: string
  /** One line for the list. */
  readonly summary: string
  load(): Promise<Command>
}
