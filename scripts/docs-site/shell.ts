import { posix } from 'node:path'
import { SECTIONS } from './pages.ts'
import { addressOf, type RenderedPage } from './render.ts'

export interface NavigationEntry {
  readonly page: string
  readonly title: string
  readonly section: string
}

/** A whole page of the site. Its files are beside it: nothing is asked of another host, and it opens from a folder. */
export function pageHtml(page: string, rendered: RenderedPage, entries: readonly NavigationEntry[]): string {
  const here = posix.dirname(addressOf(page))
  const to = (path: string): string => posix.relative(here, path)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(rendered.title)} · Vigil documentation</title>
<link rel="icon" href="${to('vigil.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('scheme.js')}"></script>
</head>
<body data-root="${to('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${to('index.html')}"><img src="${to('vigil.svg')}" alt="" width="22" height="22"> Vigil <span>Documentation</span></a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" aria-controls="results">
<kbd>/</kbd>
<div id="results" hidden></div>
</div>
<button id="scheme" type="button" aria-label="Switch between light and dark">◐</button>
</header>
<div class="frame">
<nav aria-label="Documentation">
<details open>
<summary>Contents</summary>
${SECTIONS.map(({ title }) => sectionHtml(title, page, entries, to)).join('\n')}
</details>
</nav>
<main id="content">
<article>
${rendered.html}
</article>
</main>
${outlineHtml(rendered)}
</div>
<script src="${to('site.js')}" defer></script>
</body>
</html>
`
}

function sectionHtml(
  section: string,
  page: string,
  entries: readonly NavigationEntry[],
  to: (path: string) => string,
): string {
  const links = entries
    .filter((entry) => entry.section === section)
    .map((entry) => {
      const current = entry.page === page ? ' aria-current="page"' : ''
      return `<li><a href="${to(addressOf(entry.page))}"${current}>${escaped(entry.title)}</a></li>`
    })
  return `<h2>${section}</h2>\n<ul>${links.join('')}</ul>`
}

function outlineHtml({ outline }: RenderedPage): string {
  if (outline.length < 2) return '<div class="outline"></div>'
  const links = outline.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escaped(heading)}</a></li>`)
  return `<aside class="outline" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></aside>`
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
