/** `npm run generate`: everything that is derived from the sources and kept in the repository. */
import { pathToFileURL } from 'node:url'
import { generateConfiguration, staleConfiguration } from './generate-configuration.ts'
import { generateFilterReference, staleFilterReference } from './generate-filter-reference.ts'
import { generateGatewayConfigs, staleGatewayConfigs } from './generate-gateway-configs.ts'
import { generateLibraryPage, staleLibraryPage } from './generate-library-page.ts'
import { generateDocuments, staleDocuments } from './generate-openapi.ts'
import { generateRegistries, staleRegistries } from './generate-registries.ts'
import { generateTemplateReference, staleTemplateReference } from './generate-template-reference.ts'

const root = new URL('..', import.meta.url).pathname

/** Generated files that are not what the sources say now. */
export async function staleFiles(): Promise<string[]> {
  return [
    ...staleRegistries(root),
    ...staleDocuments(root),
    ...staleConfiguration(root),
    ...staleTemplateReference(root),
    ...staleFilterReference(root),
    ...staleLibraryPage(root),
    ...staleGatewayConfigs(root),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const written = [
    ...generateRegistries(root),
    ...generateDocuments(root),
    ...generateConfiguration(root),
    ...generateTemplateReference(root),
    ...generateFilterReference(root),
    ...generateLibraryPage(root),
    ...generateGatewayConfigs(root),
  ]
  for (const path of written) console.log(`wrote ${path}`)
  if (written.length === 0) console.log('everything generated is fresh')
}
