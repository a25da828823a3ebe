import {
  Anchor,
  Breadcrumbs,
  Button,
  Checkbox,
  FileInput,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { type CrawlDraft, crawlMinutes, emptyDraft, lackOf, orderOf } from './crawl-order.ts'
import { LoginFields } from './login-fields.tsx'

const builtIn = 'Built-in crawler'
const harmChoices = [
  { value: 'AVOID', label: 'None: only record such requests' },
  { value: 'LAST', label: 'Save and switch; delete last' },
  { value: 'ALLOW', label: 'Everything (throw-away systems only)' },
]

interface PartProps {
  readonly draft: CrawlDraft
  readonly onChange: (changes: Partial<CrawlDraft>) => void
}

/** Starts a crawl. */
export default function NewCrawl() {
  const [search] = useSearchParams()
  const [draft, setDraft] = useState(() => ({ ...emptyDraft, hostname: search.get('url') ?? '' }))
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const start = useWrite('initiateCrawler', ['fetchAllDastScans', 'getAllCollectionsBasic'])
  const lack = lackOf(draft)
  const change = (changes: Partial<CrawlDraft>) => setDraft((now) => ({ ...now, ...changes }))
  const begin = () => {
    setAsked(true)
    if (lack === null)
      void start
        .mutateAsync(orderOf(draft))
        .then(() => navigate('/crawls'))
        // The notice shows the refusal from the state of the write.
        .catch(() => undefined)
  }
  return (
    <>
      <PageHeader
        title="New crawl"
        description="Explores an application in a headless browser, within its host."
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/crawls" size="sm">
              Crawls
            </Anchor>
          </Breadcrumbs>
        }
      />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin()
        }}
      >
        <Stack maw={820}>
          <Target draft={draft} onChange={change} />
          <Paper withBorder p="md" component="section" aria-label="Signing in">
            <Title order={2} mb="sm">
              2. Signing in
            </Title>
            <LoginFields draft={draft} onChange={change} />
          </Paper>
          <Limits draft={draft} onChange={change} />
          {start.error && <FailureNotice error={start.error} />}
          {isAsked && lack !== null && (
            <Text size="sm" c="red" role="alert">
              {lack}
            </Text>
          )}
          <Group justify="flex-end">
            <Button component={Link} to="/crawls" variant="default">
              Cancel
            </Button>
            <Button type="submit" leftSection={<IconPlayerPlay size={16} />} loading={start.isPending}>
              Start the crawl
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  )
}

function Target({ draft, onChange }: PartProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label="What is crawled">
      <Title order={2} mb="sm">
        1. What is crawled
      </Title>
      <Stack gap="sm">
        <TextInput
          label="Address of the application"
          description="Its host and port are the scope; other hosts are recorded but not visited."
          placeholder="https://app.example.com"
          type="url"
          maxLength={2000}
          required
          value={draft.hostname}
          onChange={(event) => onChange({ hostname: event.currentTarget.value })}
        />
        <Lines
          label="Pages to begin with"
          description="One per line: URLs or paths. Empty: only the URL above."
          value={draft.applicationPages}
          onChange={(applicationPages) => onChange({ applicationPages })}
        />
        <FileInput
          label="Recordings of somebody using it"
          description="Chrome DevTools recording, HAR file, Playwright trace, Cypress spec or report: their pages are visited first."
          placeholder="Choose files"
          multiple
          clearable
          accept=".json,.har,.zip,.trace,.network,.js,.ts"
          onChange={(files) => void readJourneys(files).then((journeys) => onChange({ journeys }))}
        />
        <Lines
          label="Exclude"
          description="One per line: a path prefix with * for anything (/admin/*), a whole URL, or re:pattern."
          value={draft.outscopeUrls}
          onChange={(outscopeUrls) => onChange({ outscopeUrls })}
        />
        <Lines
          label="Pages that are alike"
          description="One per line: /users/{id}. Three pages of each are visited; other templates are detected automatically."
          value={draft.urlTemplatePatterns}
          onChange={(urlTemplatePatterns) => onChange({ urlTemplatePatterns })}
        />
        <TextInput
          label="Collection"
          description="Receives the calls that are found. Empty: the one of the host."
          maxLength={60}
          value={draft.collectionName}
          onChange={(event) => onChange({ collectionName: event.currentTarget.value })}
        />
      </Stack>
    </Paper>
  )
}

/** Files as the server reads them: text, and archives in base64. */
function readJourneys(files: readonly File[]): Promise<string[]> {
  return Promise.all(
    files.map(async (file) => {
      if (!file.name.endsWith('.zip')) return file.text()
      const bytes = new Uint8Array(await file.arrayBuffer())
      let text = ''
      for (let at = 0; at < bytes.length; at += 0x8000)
        text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
      return btoa(text)
    }),
  )
}

interface LinesProps {
  readonly label: string
  readonly description: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field for a list, one item a line. */
function Lines({ label, description, value, onChange }: LinesProps) {
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={1}
      maxRows={8}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Limits({ draft, onChange }: PartProps) {
  const modules = useRead('fetchAvailableDastModules', {}).data?.availableModules ?? []
  return (
    <Paper withBorder p="md" component="section" aria-label="How">
      <Title order={2} mb="sm">
        3. How
      </Title>
      <Stack gap="sm">
        <Group grow align="flex-end" preventGrowOverflow={false} wrap="wrap">
          <NumberInput
            label="Time in minutes"
            description="It ends sooner when nothing is left to do."
            min={crawlMinutes.least}
            max={crawlMinutes.most}
            value={Number.isNaN(draft.minutes) ? '' : draft.minutes}
            onChange={(value) => onChange({ minutes: value === '' ? Number.NaN : Number(value) })}
          />
          <Select
            label="Changes to the application"
            description="Saving, switching, inviting, deleting, paying."
            data={harmChoices}
            allowDeselect={false}
            value={draft.harmfulActions}
            onChange={(mode) => onChange({ harmfulActions: mode as CrawlDraft['harmfulActions'] })}
          />
        </Group>
        {modules.length > 0 && (
          <Select
            label="Crawler"
            description="Modules elsewhere reach what this server does not."
            data={[
              { value: '', label: builtIn },
              ...modules.map(({ name, displayName }) => ({ value: name, label: displayName })),
            ]}
            allowDeselect={false}
            value={draft.moduleName}
            onChange={(moduleName) => onChange({ moduleName: moduleName ?? '' })}
          />
        )}
        <Checkbox
          label="Test what was found once the crawl is complete"
          checked={draft.testsAfter}
          onChange={(event) => onChange({ testsAfter: event.currentTarget.checked })}
        />
      </Stack>
    </Paper>
  )
}
