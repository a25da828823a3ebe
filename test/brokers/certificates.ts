import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files of an authority that nobody knows, and of certificates that it issued for this machine. */
export interface TestCertificates {
  readonly ca: string
  readonly server: {
    readonly certificate: string
    readonly key: string
    /** Both in one file. */
    readonly both: string
  }
  /** Certificate and key of a client in one file. */
  readonly client: string
}

/** Makes them in a folder, with the program openssl. */
export function makeCertificates(folder: string): TestCertificates {
  const at = (name: string): string => join(folder, name)
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const request = (name: string, ...more: string[]): void =>
    openssl(['req', ...kind, '-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), ...more])
  request('authority', '-x509', '-out', at('authority.pem'))
  writeFileSync(at('extensions'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  for (const name of ['server', 'client']) {
    request(name, '-out', at(`${name}.csr`))
    const issuer = ['-CA', at('authority.pem'), '-CAkey', at('authority.key'), '-CAcreateserial']
    const signed = ['-in', at(`${name}.csr`), '-out', at(`${name}.pem`), '-extfile', at('extensions')]
    openssl(['x509', '-req', ...issuer, ...signed])
  }
  for (const name of ['server', 'client'])
    writeFileSync(
      at(`${name}-both.pem`),
      readFileSync(at(`${name}.pem`), 'utf8') + readFileSync(at(`${name}.key`), 'utf8'),
    )
  return {
    ca: at('authority.pem'),
    server: { certificate: at('server.pem'), key: at('server.key'), both: at('server-both.pem') },
    client: at('client-both.pem'),
  }
}

function openssl(args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
