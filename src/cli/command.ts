/** One command of the program. */
export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Usage, what it does, flags, examples; ends with a line feed. */
  readonly help: string
  /**
   * Runs with the arguments after the name.
   *
   * @returns the exit code
   */
  run(args: string[]): Promise<number>
}
