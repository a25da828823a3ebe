import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { AuthTags } from '../../components/endpoint/auth-tags.tsx'
import { endpointStateWords } from '../../components/endpoint/endpoint-states.ts'
import { accessWord, apiTypeWord, sourceWord } from '../../components/endpoint/endpoint-words.ts'
import { StatusTag } from '../../components/endpoint/status-tag.tsx'
import { TypeTags } from '../../components/endpoint/type-tags.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { millisecondsText } from '../../data/words.ts'
import type { t } from '../../i18n/translate.ts'
import { usePageText } from '../../i18n/use-page-text.ts'
import './messages.ts'
import classes from './summary-card.module.css'

const number = new Intl.NumberFormat('en')

/** The facts of an endpoint at a glance. */
export function SummaryCard({ endpoint }: { endpoint: EndpointDetail }) {
  const t = usePageText()
  const facts: [string, ReactNode][] = [
    ['Authentication', <AuthTags key="auth" kinds={endpoint.actualAuthType} />],
    ['Called from', <TypeTags key="access" names={endpoint.apiAccessTypes} tone="blue" word={accessWord} />],
    ['Sensitive in responses', <TypeTags key="out" names={endpoint.sensitiveInResponse} most={8} />],
    ['Sensitive in requests', <TypeTags key="in" names={endpoint.sensitiveInRequest} most={8} />],
    ['Status codes', <Statuses key="codes" codes={endpoint.responseCodes} />],
    ['Calls', number.format(endpoint.callCount)],
    [t('latency.title'), latencyOf(endpoint, t)],
    ['First seen', <TimeAgo key="first" seconds={endpoint.firstSeen} />],
    ['Last seen', <TimeAgo key="last" seconds={endpoint.lastSeen} />],
    ['Owner', endpoint.owner === '' ? 'nobody' : endpoint.owner],
    ['Tags', <TypeTags key="tags" names={endpoint.tags} tone="gray" most={20} />],
    ['State', endpointStateWords[endpoint.state]],
    ['Kind', endpoint.apiType ? apiTypeWord(endpoint.apiType) : 'unknown'],
    ['Source', sourcesOf(endpoint)],
  ]
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label="Summary">
      <Title order={2} mb="xs">
        Summary
      </Title>
      <dl className={classes['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  )
}

function latencyOf({ latencyP50, latencyP95 }: EndpointDetail, text: typeof t): string {
  if (latencyP50 === null || latencyP95 === null) return text('latency.unknown')
  return text('latency.both', { p50: millisecondsText(latencyP50), p95: millisecondsText(latencyP95) })
}

function sourcesOf(endpoint: EndpointDetail): string {
  const names = Object.keys(endpoint.sources).map(sourceWord)
  if (endpoint.isDocumented) names.push('described by a specification')
  return names.join(', ') || 'unknown'
}

function Statuses({ codes }: { codes: readonly number[] }) {
  if (codes.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        never answered
      </Text>
    )
  }
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 4 }}>
      {[...codes]
        .sort((a, b) => a - b)
        .map((code) => (
          <StatusTag key={code} code={code} />
        ))}
    </span>
  )
}
