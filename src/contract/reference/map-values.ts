/** A map with its values read back from the texts that the specification wants. */
export function mapValues<Value>(
  map: Readonly<Record<string, string>>,
  read: (text: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).map(([key, text]) => [key, read(text)]))
}
