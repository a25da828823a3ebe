import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import type { ResponseOf } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { Tag } from '../../components/tag.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { starterCases } from './starter-cases.ts'
import { YamlField } from './yaml-field.tsx'

interface CasesPanelProps {
  /** The test in YAML. */
  readonly content: string
  readonly cases: string
  readonly onChange: (cases: string) => void
}

/** Cases beside the test: samples with the verdict that each must come to, run at once. */
export function CasesPanel({ content, cases, onChange }: CasesPanelProps) {
  const run = useWrite('runTestCases', [])
  const isEmpty = cases.trim() === ''
  const isChanged = run.variables?.content !== content || run.variables.cases !== cases
  return (
    <Paper withBorder p="md" component="section" aria-label="Cases">
      <Title order={2} mb="xs">
        Cases
      </Title>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Sample requests with the verdict that you expect. Each runs against a server that Vigil starts for
          it: nothing is sent to your applications. Cases are saved with the test.
        </Text>
        {isEmpty ? (
          <Button
            variant="default"
            w="fit-content"
            leftSection={<IconPlus size={16} />}
            onClick={() => onChange(starterCases)}
          >
            Add cases
          </Button>
        ) : (
          <>
            <YamlField
              text={cases}
              onChange={onChange}
              wrongLine={null}
              label="The cases in YAML"
              language="none"
            />
            <Group>
              <Button
                leftSection={<IconPlayerPlay size={16} />}
                disabled={content.trim() === ''}
                loading={run.isPending}
                onClick={() => run.mutate({ content, cases })}
              >
                Run the cases
              </Button>
            </Group>
          </>
        )}
        {run.error && <FailureNotice error={run.error} />}
        {run.data && !isEmpty && isChanged && (
          <Text size="sm">Changed since this run. Run the cases again to see whether they still hold.</Text>
        )}
        {run.data && !isEmpty && <Outcomes outcomes={run.data.testCases} />}
      </Stack>
    </Paper>
  )
}

type Outcome = ResponseOf<'runTestCases'>['testCases'][number]

function Outcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const right = outcomes.filter(({ expected, got }) => expected === got).length
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600} role="status">
        {right} of {outcomes.length} as expected
      </Text>
      <Stack
        component="ul"
        aria-label="Results of the cases"
        gap="sm"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
      >
        {outcomes.map(({ name, expected, got, story }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two cases may have the same name
          <li key={at}>
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <Tag tone={expected === got ? 'green' : 'red'}>
                {expected === got ? 'As expected' : 'Different'}
              </Tag>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {name}{' '}
                <Text span size="sm" c="dimmed">
                  {expected === got ? got : `expected ${expected}, got ${got}`}
                </Text>
              </Text>
            </Group>
            {story !== '' && (
              <details>
                <summary>
                  <Text span size="sm">
                    What was sent
                  </Text>
                </summary>
                <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {story}
                </Code>
              </details>
            )}
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
