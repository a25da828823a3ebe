/** Whether the hints of a field speak of a captcha. */
export function isCaptcha(hint: string): boolean {
  return /captcha|are you human|robot|spam|what is \d|wie viel ist|cuánto es/.test(hint)
}

/** Answer to a sum in the label (`what is 4+7*2 ?`); null for anything else: other captchas are not solved. */
export function captchaAnswer(label: string): string | null {
  const sum = /(?<![\w.])\d{1,4}(?:\s*[-+*x×]\s*\d{1,4}){1,6}(?![\w.])/.exec(label)
  if (!sum) return null
  const tokens = sum[0].match(/\d+|[-+*x×]/g) ?? []
  let total = 0
  let sign = 1
  let product = Number(tokens[0])
  for (let i = 1; i + 1 < tokens.length; i += 2) {
    const operator = tokens[i]!
    const value = Number(tokens[i + 1])
    if (/[*x×]/.test(operator)) {
      product *= value
    } else {
      total += sign * product
      sign = operator === '-' ? -1 : 1
      product = value
    }
  }
  return String(total + sign * product)
}
