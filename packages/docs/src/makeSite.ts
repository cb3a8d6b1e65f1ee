import MiniSearch from "minisearch"
import { escapeHtml } from "./codeBlocks.ts"
import { makeTargetOf, withSiteLinks } from "./links.ts"
import { makeRenderMarkdown } from "./makeRenderMarkdown.ts"
import { type ApiDocument, operationEntries } from "./operationEntries.ts"
import { type ApiReference, isForOperators, operatorSections, pagePath, partnerSections, references } from "./pages.ts"
import { type Assets, makeRenderPage, renderReference } from "./renderPage.ts"
import { type SearchEntry, searchOptions } from "./searchOptions.ts"

interface Source {
  /** The Markdown of each page, by its file; those that are missing have no page. */
  readonly texts: ReadonlyMap<string, string>
  readonly documents: ReadonlyArray<readonly [ApiReference, ApiDocument]>
  readonly pictureAt: (file: string) => string
}

const summaryOf = (text: string): string => {
  const paragraphs = text.split(/\n\n+/).slice(1)
  const first = paragraphs.find((each) => !/^[#`|![]/.test(each)) ?? ""
  const plain = first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll("\n", " ")
  return /^.*?\.(?=\s|$)/.exec(plain)?.[0] ?? plain
}

const titleIn = (text: string): string => /^# (.*)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? ""

/** Reads the pages of the site. The result knows the content of its search, and makes its files once it has the addresses of its assets. */
export const makeSite = async ({ documents, pictureAt, texts }: Source) => {
  const sections = [...partnerSections, ...operatorSections].map((section) => ({
    ...section,
    files: section.files.filter((file) => texts.has(file))
  }))
  const files = sections.flatMap((section) => section.files)
  const textOf = (file: string) => texts.get(file) ?? ""
  const titleOf = (file: string) => titleIn(textOf(file))
  const targetOf = makeTargetOf(new Set(files))
  const render = await makeRenderMarkdown({ targetOf, pictureAt })
  const rendered = files.map((file) => ({ file, ...render(textOf(file), file) }))

  const entries = rendered.flatMap(({ file, texts, title }) =>
    texts.map(
      ({ heading, text }): SearchEntry => ({
        id: `/docs/${pagePath(file)}${heading === undefined ? "" : `#${heading.anchor}`}`,
        kind: isForOperators(file) ? "operator" : "guide",
        title: heading?.text ?? title,
        place: title,
        text
      })
    )
  )
  const search = new MiniSearch<SearchEntry>(searchOptions)
  // Two headings of a page may have one text.
  const all = [...entries, ...documents.flatMap(([reference, document]) => operationEntries(document, reference))]
  search.addAll(new Map(all.map((entry) => [entry.id, entry])).values().toArray())

  const list = (form: (file: string) => string) =>
    sections
      .filter((section) => section.files.length > 0)
      .map((section) => ({ title: section.title, lines: section.files.map(form) }))

  const home = () => {
    const lists = list(
      (file) =>
        `<li><a href="/docs/${pagePath(file)}">${escapeHtml(titleOf(file))}</a> <span>${escapeHtml(summaryOf(textOf(file)))}</span></li>`
    ).slice(0, partnerSections.filter((section) => section.files.some((file) => texts.has(file))).length)
    return `<h1>Partner Care API</h1>
<p class="lead">Create cases for your patients, take payments, order medication, book visits, and follow each case by signed events.</p>
<p class="ways"><a class="main-way" href="/docs/quick-start">Start in five minutes</a><a href="/docs/reference">API reference</a><a href="/openapi.json">OpenAPI document</a></p>
${lists.map(({ lines, title }) => `<section class="card"><h2>${escapeHtml(title)}</h2><ul>${lines.join("")}</ul></section>`).join("\n")}`
  }

  const llms = () => `# Partner Care API

> The API of a telehealth platform for its partners: cases of patients, forms, payments, orders, appointments, webhooks.

- [OpenAPI document](/openapi.json): every operation, field and error

${list((file) => `- [${titleOf(file)}](/docs/${pagePath(file)}.md): ${summaryOf(textOf(file))}`)
  .map(({ lines, title }) => `## ${title}\n\n${lines.join("\n")}\n`)
  .join("\n")}`

  return {
    searchIndex: JSON.stringify(search),
    /** Returns the files of the site by their names in its folder. */
    files: (assets: Assets): ReadonlyMap<string, string> => {
      const renderPage = makeRenderPage(assets, titleOf, (file) => texts.has(file))
      const page = (path: string, title: string, html: string) =>
        renderPage({ path, title, description: title, html, headings: [] })
      const made = new Map<string, string>([
        ["index.html", page("", "Documentation", home())],
        [
          "404.html",
          page(
            "",
            "Not found",
            '<h1>Not found</h1><p>No page has this address. Search for it, or start at <a href="/docs">the beginning</a>.</p>'
          )
        ],
        ["llms.txt", llms()]
      ])
      for (const reference of references) made.set(`${reference.path}.html`, renderReference(assets, reference))
      rendered.forEach(({ file, headings, html, title }, index) => {
        const isOfSame = (other: string | undefined) =>
          other !== undefined && isForOperators(other) === isForOperators(file) ? other : undefined
        const [previous, next] = [isOfSame(files[index - 1]), isOfSame(files[index + 1])]
        const description = summaryOf(textOf(file))
        made.set(
          `${pagePath(file)}.html`,
          renderPage({ path: pagePath(file), title, description, html, headings, previous, next })
        )
        made.set(`${pagePath(file)}.md`, withSiteLinks(textOf(file), file, targetOf))
      })
      return made
    }
  }
}
