/** Hands the browser content to save under a name. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Not at once: the browser reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Hands the browser a text to save under a name. */
export function saveFile(name: string, text: string, type = 'application/json'): void {
  saveBlob(name, new Blob([text], { type }))
}
