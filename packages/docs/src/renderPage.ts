import { escapeHtml } from "./codeBlocks.ts"
import type { Heading } from "./makeRenderMarkdown.ts"
import { operatorSections, pagePath, partnerSections, references } from "./pages.ts"

/** The addresses of what the pages load. */
export interface Assets {
  readonly style: string
  readonly icon: string
  readonly theme: string
  readonly site: string
  readonly reference: string
  readonly scalar: string
  readonly searchIndex: string
}

/** A page of the site before it is put into its frame. */
export interface SitePage {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly html: string
  readonly headings: ReadonlyArray<Heading>
  readonly previous?: string | undefined
  readonly next?: string | undefined
}

type TitleOf = (file: string) => string

const linkTo = (path: string, title: string, current: string) =>
  `<li><a href="/docs/${path}"${path === current ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a></li>`

const navigation = (current: string, titleOf: TitleOf, has: (file: string) => boolean) => {
  const sectionsOf = (sections: typeof partnerSections) =>
    sections
      .map(({ files, title }) => ({ title, files: files.filter(has) }))
      .filter(({ files }) => files.length > 0)
      .map(({ files, title }) => {
        const links = files.map((file) => linkTo(pagePath(file), titleOf(file), current)).join("")
        return `<h2>${escapeHtml(title)}</h2><ul>${links}</ul>`
      })
      .join("")
  const [partners, operators] = references
  const isOperators = current.startsWith("operators/")
  return `<nav id="navigation" aria-label="Documentation"><ul>${linkTo(partners.path, partners.title, current)}<li><a href="/status">Status</a></li></ul>${sectionsOf(partnerSections)}
<details${isOperators ? " open" : ""}><summary>For operators</summary><ul>${linkTo(operators.path, operators.title, current)}</ul>${sectionsOf(operatorSections)}</details></nav>`
}

const contents = (headings: ReadonlyArray<Heading>) => {
  const links = headings
    .filter(({ level }) => level <= 3)
    .map(
      ({ anchor, level, text }) =>
        `<li class="level-${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(text).replaceAll("_", "_<wbr>")}</a></li>`
    )
  return links.length < 2
    ? ""
    : `<aside aria-labelledby="contents"><p id="contents">On this page</p><ul>${links.join("")}</ul></aside>`
}

const head = (
  { description, path, title }: SitePage,
  { icon, site, style, theme }: Assets,
  more = ""
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Partner Care API</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${theme}"></script>
<script src="${site}" type="module"></script>
<link rel="alternate" type="text/plain" href="/docs/llms.txt" title="llms.txt">
${path === "" ? "" : `<link rel="alternate" type="text/markdown" href="/docs/${path}.md">\n`}${more}</head>`

const headerWith = (links = "") => `<a class="skip" href="#main">Skip to the text</a>
<header><button type="button" class="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<a class="brand" href="/docs">Partner Care API</a>${links}
<button type="button" class="find" aria-haspopup="dialog">Search <kbd>/</kbd></button>
<button type="button" class="theme" aria-label="Dark mode" aria-pressed="false">◐</button></header>`

/** Makes the function that puts a page into the frame of the site. */
export const makeRenderPage =
  (assets: Assets, titleOf: TitleOf, has: (file: string) => boolean) =>
  (page: SitePage): string => {
    const around = ([page.previous, page.next] as const)
      .map((file, index) =>
        file === undefined
          ? ""
          : `<a href="/docs/${pagePath(file)}" rel="${index === 0 ? "prev" : "next"}"><span>${index === 0 ? "Before" : "Next"}</span> ${escapeHtml(titleOf(file))}</a>`
      )
      .join("")
    const hints =
      page.path === "" ? "" : `<p class="source"><a href="/docs/${page.path}.md">This page as Markdown</a></p>`
    return `${head(page, assets)}
<body data-search="${assets.searchIndex}">
${headerWith()}
<div class="frame">${navigation(page.path, titleOf, has)}
<main id="main" tabindex="-1"><article>${page.html}</article>${hints}<div class="around">${around}</div></main>
${contents(page.headings)}</div>
</body>
</html>
`
  }

/** Returns the page of a reference, which Scalar fills, with a landmark of the main content, too. */
export const renderReference = (assets: Assets, { document, path, title }: (typeof references)[number]): string => {
  const page = { path: "", title, description: "Every operation, field and error.", html: "", headings: [] }
  return `${head(page, assets, `<script src="${assets.scalar}" defer></script>\n<script src="${assets.reference}" type="module"></script>\n`)}
<body class="wide" data-search="${assets.searchIndex}" data-document="${document}" data-path="${path}">
${headerWith('<a class="guides" href="/docs">Guides</a>')}
<div id="main" tabindex="-1"><section aria-labelledby="title"><h1 id="title" class="hidden">${escapeHtml(title)}</h1></section><div id="reference"><p class="waits" role="status">The reference is being loaded.</p></div></div>
</body>
</html>
`
}
