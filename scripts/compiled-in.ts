/**
 * Packages of npm that are compiled into `dist/packages`: large ones of which the program uses a part. They are
 * development dependencies; an installation holds a tenth of their files, and their licenses beside.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = resolve(import.meta.dirname, '..')
const DIST = join(root, 'dist')
const FOLDER = join(DIST, 'packages')
const PACKAGES = [
  '@apidevtools/json-schema-ref-parser',
  '@modelcontextprotocol/sdk',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  '@puppeteer/browsers',
  '@puppeteer/replay',
  '@zxcvbn-ts/language-common',
  '@zxcvbn-ts/language-en',
  'aws4fetch',
  'fontkit',
  'graphql',
  'libphonenumber-js',
  'modern-tar',
  'pdfkit',
  'protobufjs',
  'puppeteer-core',
  'typebox',
]
/** Where a compiled file names a package: `from "x"`, `import "x"` and `import("x")`. */
const NAMED = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"'.][^"']*)\2/g

function compiledFiles(): string[] {
  return readdirSync(DIST, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(DIST, 'dashboard')) && !path.startsWith(FOLDER))
}

function isCompiledIn(specifier: string): boolean {
  return PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`))
}

function fileNameOf(specifier: string): string {
  return specifier
    .replace(/^@/, '')
    .replace(/\.m?js$/, '')
    .replaceAll('/', '-')
}

/**
 * Compiles the packages that the compiled program names, and lets it name the results instead.
 *
 * @throws Error of the compiler
 */
export async function compilePackagesIn(): Promise<void> {
  const specifiers = new Set<string>()
  for (const path of compiledFiles()) {
    const text = readFileSync(path, 'utf8')
    const rewritten = text.replace(NAMED, (all, before: string, quote: string, specifier: string) => {
      if (!isCompiledIn(specifier)) return all
      specifiers.add(specifier)
      const target = relative(dirname(path), join(FOLDER, `${fileNameOf(specifier)}.js`))
      return `${before}${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`
    })
    if (rewritten !== text) writeFileSync(path, rewritten)
  }
  // Where nothing was compiled anew, the names were replaced before.
  if (specifiers.size > 0) await bundle([...specifiers].sort())
}

async function bundle(specifiers: readonly string[]): Promise<void> {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  const installed = Object.keys({ ...dependencies, ...optionalDependencies })
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(specifiers.map((specifier) => [fileNameOf(specifier), specifier])),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) =>
      id.startsWith('node:') || installed.some((name) => id === name || id.startsWith(`${name}/`)),
    logLevel: 'silent',
  })
  rmSync(FOLDER, { recursive: true, force: true })
  const { output } = await build.write({ dir: FOLDER, format: 'esm', comments: { legal: false } })
  await build.close()
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  writeFileSync(join(FOLDER, 'LICENSES.txt'), licensesOf(modules))
}

/** The license texts of every package that a bundle holds a part of. */
function licensesOf(modules: readonly string[]): string {
  const folders = new Set<string>()
  for (const id of modules) {
    const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)
    if (found) folders.add(found[1]!)
  }
  return [...folders].sort().map(licenseOf).join('\n')
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license: string
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `${name} ${version} (${license})\n${text}`
}
