/** The pages of the documentation in the order of their navigation, by their path below `docs`. */
export interface Section {
  readonly title: string
  readonly pages: readonly string[]
}

export const HOME = 'start.md'

export const SECTIONS: readonly Section[] = [
  { title: 'Start', pages: [HOME] },
  {
    title: 'Guides',
    pages: [
      'guides/import-files.md',
      'guides/traffic-sources.md',
      'guides/pipeline.md',
      'guides/test-users.md',
      'guides/read-a-verdict.md',
      'guides/write-a-test.md',
      'guides/write-a-filter.md',
      'guides/agents.md',
      'guides/debug-a-message.md',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'guides/deploy.md',
      'running.md',
      'guides/runbook.md',
      'guides/capacity.md',
      'guides/back-up.md',
      'guides/upgrade.md',
      'guides/troubleshoot.md',
      'guides/sign-in.md',
      'guides/migrate.md',
      'threats.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'cli.md',
      'configuration.md',
      'errors.md',
      'reference/test-library.md',
      'reference/test-templates.md',
      'reference/template-language.md',
      'reference/filters.md',
      'compatibility.md',
      'glossary.md',
    ],
  },
  {
    title: 'Background',
    pages: [
      'comparison.md',
      'scorecard.md',
      'performance.md',
      'architecture.md',
      'dependencies.md',
      'testing.md',
      'guides/release.md',
    ],
  },
]

/** Folders whose pages are listed on a separate page. */
export const LISTED_FOLDERS = [{ folder: 'decisions', title: 'Decisions', section: 'Background' }] as const
