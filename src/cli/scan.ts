import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { colourSeverity } from './scan/colours.ts'
import type { FinishedScan } from './scan/gather-scan.ts'
import { Progress } from './scan/progress.ts'
import { writeReports } from './scan/reports/index.ts'
import { runScan } from './scan/run-scan.ts'
import { readScanOptions, type ScanOptions, switchOptions, valueOptions } from './scan/scan-options.ts'
import type { Verdict } from './scan/scan-result.ts'
import { openScanServer, type ScanServer } from './scan/scan-server.ts'
import { summaryText } from './scan/summary-text.ts'
import { reasonOf } from './server-fault.ts'

const VERDICT_CODES: Readonly<Record<Verdict, number>> = {
  PASSED: exitCodes.done,
  FINDINGS: exitCodes.findings,
  NOTHING_TESTED: exitCodes.nothingTested,
  FAILED: exitCodes.failed,
}

/** `vigil scan`: from files that describe or record an API to findings and reports. */
export const scan: Command = {
  help: `Usage: vigil scan <file> [<file> …] --target URL [--roles FILE] [options]
       vigil scan --crawl URL [<file> …] [--roles FILE] [options]
       vigil scan --config vigil.yaml [options]

Tests the API that the files describe (OpenAPI, Postman, GraphQL) or recorded (HAR, Burp XML, curl, raw HTTP) at one
target, and ends with a code that a pipeline can use. Vigil runs in this process on a store that is thrown away.

  --target URL          scheme, host and port that requests go to, and nowhere else. Test only what you may test.
  --crawl URL           crawl the application in a browser first (see vigil browser install), signed in as USER if there
                        is one; files are not needed then, and --target is the host of the URL unless given
  --crawl-time TIME     end the crawl after 90s, 10m or 1h; 5m unless given
  --roles FILE          who tests act as, in YAML: a name and its headers, or a login. \${NAME} is a variable of the
                        environment. ATTACKER is the attacker: a second, ordinary account, which must not reach what
                        belongs to USER. USER makes the requests under test (without it: the recorded users). MEMBER
                        (the attacker, unless given) and ADMIN serve tests of administrators' functions.

                          USER:
                            Authorization: Bearer \${USER_TOKEN}
                          ATTACKER:
                            login: { url: /login, body: { name: bob, password: "\${BOB_PASSWORD}" } }
                            headers: { Authorization: "Bearer \${login.response.body.token}" }
                          ADMIN:                       # a second request sends the one-time code of totp
                            login:
                              - { url: /login, body: { name: carol, password: "\${CAROL_PASSWORD}" } }
                              - { url: /login/code, body: { code: "\${totp}" }, totp: "\${CAROL_TOTP}" }
                            headers: { Authorization: "Bearer \${login.response.body.token}" }
                          MEMBER:
                            recording: login.json      # recorded in a browser; see the guide
                            token: localStorage.getItem('token')
                            totp: \${MEMBER_TOTP}
                            headers: { Authorization: "Bearer \${login.response.body.token}" }

  --config FILE         all of it in one YAML file (vigil init writes one): names of options with their values, files,
                        roles, and reports by format. Options of the command line win.

Which tests and endpoints, all unless chosen; several words are separated by commas:
  --tests, --categories, --severities, --tags   by id, category, severity, or tag and CWE
  --path, --method      only these endpoints; * in a path stands for a part of a segment, ** for any number of them

How:
  --safe                send no request that writes (the same as --write-level read-only)
  --write-level LEVEL   read-only, reversible (default: writes only what Vigil can undo) or all
  --rate N              at most N requests a second
  --max-time TIME       stop testing after 90s, 10m or 1h; 30m unless given
  --data-dir FOLDER     keep the store in a folder
  --server URL          run on this installation instead, with --key KEY or VIGIL_API_KEY; roles are stored there, and
                        --collection NAME says where the files go

What fails, and reports (several at once; - is standard output):
  --fail-on SEVERITY    critical, high (default), medium, low, info or none
  --baseline FILE       a report of --json: only findings that are not in it fail
  --sarif, --junit, --json, --jsonl, --markdown, --html FILE

Ends with code 0 when nothing at or above --fail-on was found, 10 when something was, 11 when not one check could be
carried out, 1 when the scan failed or was stopped, 2 for a wrong command line.
`,
  async run(args) {
    const options = readScanOptions(readArguments(args, valueOptions, switchOptions))
    const interruption = new AbortController()
    const onSignal = (): void => {
      if (interruption.signal.aborted) process.exit(exitCodes.failed)
      interruption.abort()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
    let server: ScanServer | null = null
    try {
      server = await openScanServer(options)
      return await Promise.race([scanWith(server, options, interruption.signal), server.died])
    } catch (error) {
      const reason = await reasonOf(error, options.server === null)
      if (reason === null) throw error
      process.stderr.write(`vigil: ${reason}\n`)
      return exitCodes.failed
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
      await server?.close()
    }
  },
}

async function scanWith(server: ScanServer, options: ScanOptions, signal: AbortSignal): Promise<number> {
  // A report on standard output is for a program; what people read goes beside it then.
  const people = [...options.reports.values()].includes('-') ? process.stderr : process.stdout
  const progress = new Progress(process.stderr)
  const say = (stream: NodeJS.WriteStream, line: string): void => {
    progress.clear()
    stream.write(`${line}\n`)
  }
  const finished: FinishedScan = await runScan(server.client, options, {
    note: (line) => say(process.stderr, line),
    found: (line, { severity }) => say(people, colourSeverity(line, severity, people)),
    progress,
    signal,
  })
  progress.clear()
  people.write(summaryText(finished.result))
  for (const written of await writeReports(finished, options.reports)) say(process.stderr, `Wrote ${written}`)
  return VERDICT_CODES[finished.result.verdict]
}
