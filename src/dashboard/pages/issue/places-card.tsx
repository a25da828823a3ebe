import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Issue } from '../../../contract/browser.ts'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { Tag } from '../../components/tag.tsx'
import { causeText } from '../../components/testing/cause-text.ts'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TestName } from '../../components/testing/test-name.tsx'
import { useTests } from '../../data/use-tests.ts'
import { countOf } from '../../data/words.ts'
import { statusLooks } from './status-looks.ts'

const firstShown = 12

interface PlacesCardProps {
  readonly issue: Issue
  /** All places of the cause, this one included. */
  readonly places: readonly Issue[]
}

/** Every place of the same cause: mending the cause mends them all. */
export function PlacesCard({ issue, places }: PlacesCardProps) {
  const [showsAll, setShowsAll] = useState(false)
  const tests = useTests()
  if (places.length < 2) return null
  const open = places.filter(({ testRunIssueStatus }) => testRunIssueStatus === 'OPEN').length
  const rows = showsAll ? places : places.slice(0, firstShown)
  const hasTests = new Set(places.map(({ id }) => id.testSubCategory)).size > 1
  return (
    <Paper withBorder p="md" component="section" aria-label="Places">
      <Title order={2} mb={4}>
        Places ({places.length})
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        One cause{causeText(issue) === '' ? '' : `: ${causeText(issue).toLowerCase()}`}.{' '}
        {countOf(open, 'place')} open; the issue closes when all are fixed.
      </Text>
      <Stack gap="xs">
        {rows.map((place) => (
          <Group key={issueAddress(place.id)} gap="xs" wrap="nowrap" align="flex-start">
            {place.testRunIssueStatus === 'OPEN' ? (
              <SeverityTag severity={place.severity} />
            ) : (
              <Tag tone={statusLooks[place.testRunIssueStatus].tone}>
                {statusLooks[place.testRunIssueStatus].word}
              </Tag>
            )}
            <div>
              <Anchor
                component={Link}
                to={issueAddress(place.id)}
                size="sm"
                style={{ overflowWrap: 'anywhere' }}
              >
                {endpointLabel(place.id.apiInfoKey)}
              </Anchor>
              {hasTests && (
                <Text size="xs" c="dimmed">
                  <TestName tests={tests} id={place.id.testSubCategory} />
                </Text>
              )}
            </div>
          </Group>
        ))}
      </Stack>
      {places.length > firstShown && (
        <Button mt="sm" size="compact-sm" variant="default" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : 'Show all'}
        </Button>
      )}
    </Paper>
  )
}
