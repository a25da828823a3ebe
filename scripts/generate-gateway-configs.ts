import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TARGET = 'src/dashboard/pages/start/gateway-configs.generated.ts'
const FILES = ['nginx.conf', 'haproxy.cfg', 'apache.conf', 'caddy.conf'] as const

function written(root: string): string {
  const lines = FILES.map(
    (file) =>
      `  ${JSON.stringify(file)}: ${JSON.stringify(readFileSync(join(root, 'deploy/gateways', file), 'utf8'))},`,
  )
  return `// Written by \`npm run generate\` from deploy/gateways.

/** Configurations of gateways, by the name of their file. */
export const gatewayConfigs = {
${lines.join('\n')}
} as const
`
}

/** The module of the dashboard that has the configurations of gateways, when it is not as they are. */
export function staleGatewayConfigs(root: string): string[] {
  const path = join(root, TARGET)
  return existsSync(path) && readFileSync(path, 'utf8') === written(root) ? [] : [TARGET]
}

/** Writes it. @returns what was written */
export function generateGatewayConfigs(root: string): string[] {
  const stale = staleGatewayConfigs(root)
  for (const path of stale) writeFileSync(join(root, path), written(root))
  return stale
}
