import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Copy, DockerfileParser } from 'dockerfile-ast'
import { environmentWithoutSettings } from './start-program.ts'

/** A stage whose steps were carried out, and what a container of it starts with. */
export interface Stage {
  /** The folder that stands for `/` of the image. */
  readonly root: string
  readonly environment: Record<string, string>
  readonly user: string
  /** ENTRYPOINT and CMD. */
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

interface OpenStage extends Stage {
  readonly name: string
  folder: string
}

/** Folders of the image that its own steps make; they are looked for in the commands of RUN. */
const OWN_FOLDERS = /(?<=\s)\/(?=(?:source|package|data)\b)/g
const MOST_MS = 900_000

/**
 * Carries out the steps of a Containerfile without a container engine, each stage in its own empty folder, which
 * stands for its root. Programs come from this machine instead of the base image, and users are left as they are.
 *
 * @param context the folder that COPY takes from, without what an ignore file leaves out
 * @throws Error with the output of the step that failed, or when a step has a form that is not known here
 */
export function carryOutSteps(content: string, context: string, scratch: string): Stage {
  const stages: OpenStage[] = []
  for (const one of DockerfileParser.parse(content).getInstructions()) {
    const keyword = one.getKeyword()
    const text = one.getArgumentsContent() ?? ''
    const from = keyword === 'COPY' ? (one as Copy).getFromFlag()?.getValue() : undefined
    const stage = stages.at(-1)
    if (keyword === 'FROM') stages.push(openStage(text, join(scratch, `stage-${stages.length}`)))
    else if (stage === undefined) throw new Error(`${keyword} before FROM`)
    else
      stages[stages.length - 1] = carriedOut(stage, {
        keyword,
        text,
        origin: stages.find(({ name }) => name === from)?.root ?? context,
      })
  }
  return stages.at(-1)!
}

function openStage(text: string, root: string): OpenStage {
  mkdirSync(root, { recursive: true })
  const name = /\sAS\s+(\S+)$/i.exec(text)?.[1] ?? ''
  return { name, root, folder: root, environment: {}, user: 'root', command: [], healthcheck: [] }
}

interface Step {
  readonly keyword: string
  readonly text: string
  /** The folder that COPY takes from. */
  readonly origin: string
}

function carriedOut(stage: OpenStage, { keyword, text, origin }: Step): OpenStage {
  switch (keyword) {
    case 'WORKDIR':
      mkdirSync(join(stage.root, text), { recursive: true })
      return { ...stage, folder: join(stage.root, text) }
    case 'COPY':
      copy(stage, text, origin)
      return stage
    case 'RUN':
      run(stage, text)
      return stage
    case 'ENV': {
      const pairs = text.split(/\s+/).map((pair) => pair.split('='))
      return { ...stage, environment: { ...stage.environment, ...Object.fromEntries(pairs) } }
    }
    case 'USER':
      return { ...stage, user: text }
    case 'HEALTHCHECK':
      return { ...stage, healthcheck: JSON.parse(text.slice(text.indexOf('['))) as string[] }
    case 'ENTRYPOINT':
    case 'CMD':
      return { ...stage, command: [...stage.command, ...(JSON.parse(text) as string[])] }
    case 'VOLUME':
    case 'EXPOSE':
      return stage
    default:
      throw new Error(`Nobody knows here how to carry out ${keyword}`)
  }
}

function copy(stage: OpenStage, text: string, origin: string): void {
  const [source = '', target = ''] = text.split(/\s+/)
  const to = target.startsWith('/') ? join(stage.root, target) : join(stage.folder, target)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(join(origin, source), to, { recursive: true })
}

function run(stage: OpenStage, command: string): void {
  const here = command
    .replaceAll(OWN_FOLDERS, `${stage.root}/`)
    .replaceAll(/ -o \S+ -g \S+/g, '')
    // The cache is that of this machine.
    .replaceAll('npm cache clean --force', 'true')
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', here], {
    cwd: stage.folder,
    env: stageEnvironment(stage),
    encoding: 'utf8',
    timeout: MOST_MS,
  })
  if (status !== 0) throw new Error(`RUN ${command}\nended with ${status}:\n${stdout}\n${stderr}`)
}

/** What a program in a stage sees: its own settings, what `npm --global` installed there, and the settings of npm here. */
export function stageEnvironment({
  root,
  environment,
}: Pick<Stage, 'root' | 'environment'>): NodeJS.ProcessEnv {
  const prefix = join(root, 'usr/local')
  const own = Object.entries(environment).map(([name, value]) => [
    name,
    readdirSync(root).some((folder) => value === `/${folder}`) ? join(root, value) : value,
  ])
  const PATH = `${join(prefix, 'bin')}:${process.env['PATH']}`
  return { ...environmentWithoutSettings(), PATH, npm_config_prefix: prefix, ...Object.fromEntries(own) }
}
