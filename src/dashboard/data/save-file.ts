/** Hands the browser a text to save under a name. */
export function saveFile(name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Not at once: the browser reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
