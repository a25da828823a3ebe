/**
 * The URL of the object that a part of it stands below: `/users/7` for `/users/7/email`; null where the last segment
 * names an object itself.
 *
 * @param template path template of the endpoint
 */
export function urlAbove(url: string, template: string): string | null {
  const [above, part] = cut(url)
  // What is a segment of the template is not a value.
  return part !== '' && part === cut(template)[1] && /^[a-z][a-z0-9+.-]*:\/\/[^/]+\/./i.test(above)
    ? above
    : null
}

function cut(text: string): [above: string, last: string] {
  const path = text.replace(/[?#].*$/s, '').replace(/\/$/, '')
  const at = path.lastIndexOf('/')
  return [path.slice(0, Math.max(at, 0)), path.slice(at + 1)]
}
