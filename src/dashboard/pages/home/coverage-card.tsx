import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { testStateWord } from '../../components/endpoint/test-state-words.ts'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from './card.tsx'
import classes from './home.module.css'

/** How much of the inventory was tested, and why the rest was not. */
export function CoverageCard() {
  const query = useRead('countTestStates', {}, { refreshEvery: 60_000 })
  return (
    <Card title={t('overview.coverage')} query={query}>
      {({ testStates }) => <Coverage states={testStates} />}
    </Card>
  )
}

function Coverage({ states }: { states: ResponseOf<'countTestStates'>['testStates'] }) {
  const all = states.reduce((sum, one) => sum + one.endpoints, 0)
  const tested = states.find(({ state }) => state === 'TESTED')?.endpoints ?? 0
  if (all === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('overview.noEndpoints')}
      </Text>
    )
  }
  const percent = Math.floor((tested * 100) / all)
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('overview.tested', { percent, count: all })}
      </Text>
      <div className={classes['coverage']} role="img" aria-label={t('overview.testedPercent', { percent })}>
        <span style={{ width: `${(tested / all) * 100}%` }} />
      </div>
      <ul className={classes['states']}>
        {states.map(({ state, endpoints }) => (
          <li key={state}>
            <Anchor component={Link} to={`/apis/all?tested=${state}`} size="sm">
              <span>{testStateWord(state)}</span>
              <span>{countText(endpoints)}</span>
            </Anchor>
          </li>
        ))}
      </ul>
    </>
  )
}
