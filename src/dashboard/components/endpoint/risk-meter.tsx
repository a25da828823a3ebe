import { Tooltip } from '@mantine/core'
import { t } from '../../i18n/translate.ts'
import classes from './risk-meter.module.css'

const words = {
  Critical: 'severity.critical',
  High: 'severity.high',
  Medium: 'severity.medium',
  Low: 'severity.low',
  None: 'risk.none',
} as const

/** Level of a risk score of 0 to 5. */
function riskLevel(score: number): keyof typeof words {
  if (score >= 4) return 'Critical'
  if (score >= 3) return 'High'
  if (score >= 2) return 'Medium'
  if (score >= 1) return 'Low'
  return 'None'
}

/** A risk score of 0 to 5: the number, and as many filled marks as whole points. */
export function RiskMeter({ score }: { score: number }) {
  const level = riskLevel(score)
  const word = t(words[level])
  return (
    <Tooltip label={t('risk.of5', { score, word: word.toLowerCase() })}>
      <span className={classes['meter']} data-level={level}>
        <span className={classes['score']}>{score.toFixed(1)}</span>
        <span className={classes['pips']} aria-hidden>
          {[1, 2, 3, 4, 5].map((point) => (
            <span
              key={point}
              data-filled={score >= point || undefined}
              data-half={score === point - 0.5 || undefined}
            />
          ))}
        </span>
        <span className={classes['word']}>{word}</span>
      </span>
    </Tooltip>
  )
}
