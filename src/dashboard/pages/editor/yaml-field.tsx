import classes from './editor.module.css'

interface YamlFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Line with an error, from 1. */
  readonly wrongLine: number | null
  /** What the text is, for its accessible name. */
  readonly label?: string
}

/** A text field with numbered lines; the line of an error stands out. */
export function YamlField({ text, onChange, wrongLine, label = 'The test in YAML' }: YamlFieldProps) {
  const lines = Math.max(text.split('\n').length, 24)
  return (
    <div className={classes['frame']}>
      <pre className={classes['numbers']} aria-hidden>
        {Array.from({ length: lines }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: line numbers are their own keys
          <div key={at} data-wrong={wrongLine === at + 1 || undefined}>
            {at + 1}
          </div>
        ))}
      </pre>
      <textarea
        className={classes['text']}
        aria-label={label}
        aria-invalid={wrongLine !== null}
        spellCheck={false}
        rows={lines}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
