import { globSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import MiniSearch from "minisearch"
import { makeSite } from "./makeSite.ts"
import { operatorSections, partnerSections, references } from "./pages.ts"
import { type SearchEntry, searchOptions } from "./searchOptions.ts"

const root = join(import.meta.dirname, "../../..")

const assets = { style: "s", icon: "i", theme: "t", site: "p", reference: "r", scalar: "c", searchIndex: "x" }

const payments = `# Payments

For partners who take money. See [audit](audit.md#a-part), [code](../../packages/x.ts), [a site](https://example.com).

## A <b> & "part"

\`\`\`sh
curl -d '<x>'
\`\`\`

\`\`\`ts
const a = "<x>"
\`\`\`

| a |     |
| - | --- |
| 1 | 2   |

\`\`\`sh
curl -1
\`\`\`

\`\`\`sh
curl -2
\`\`\`
`

const [partners] = references
const operation = { tags: ["Case intake"], summary: "Create a case", description: "Creates one. And more." }

const siteOf = (texts: Readonly<Record<string, string>>) =>
  makeSite({
    texts: new Map(Object.entries(texts)),
    documents: [[partners, { paths: { "/api/v1/cases": { post: operation } } }]],
    pictureAt: (file) => `/pictures/${file}`
  })

const site = () =>
  siteOf({ "docs/guides/payments.md": payments, "docs/guides/audit.md": "# Audit\n\nFor operators.\n\n## A part\n" })

it("renders a page with its links, its code as tabs in each language, and nothing of its text as HTML", async () => {
  const html = (await site()).files(assets).get("payments.html") ?? ""
  assert.include(html, '<a href="/docs/operators/audit#a-part">audit</a>')
  assert.include(html, "<span>code</span>")
  assert.include(html, 'id="a-b--part"')
  assert.notMatch(html, /<b>|<x>| style=/)
  assert.lengthOf(html.match(/role="tab"/g) ?? [], 2)
  assert.lengthOf(html.match(/data-copy/g) ?? [], 3, "two blocks of one language are no tabs")
  assert.lengthOf(html.match(/<th>/g) ?? [], 1, "a column without a name has no heading")
  assert.include(html, 'href="/docs/payments.md"')
})

it("has each page as Markdown with links to others of them, and lists them for language models", async () => {
  const files = (await site()).files(assets)
  assert.include(
    files.get("payments.md"),
    "[audit](/docs/operators/audit.md#a-part), code, [a site](https://example.com)"
  )
  const list = files.get("llms.txt") ?? ""
  assert.include(list, "- [Payments](/docs/payments.md): For partners who take money.")
  assert.include(list, "- [Audit](/docs/operators/audit.md): For operators.")
})

it("finds sections of pages and operations, with their places", async () => {
  const { searchIndex } = await site()
  const index = MiniSearch.loadJSON<SearchEntry>(searchIndex, searchOptions)
  assert.deepInclude(index.search("post cases")[0], {
    id: "/docs/reference#tag/case-intake/POST/api/v1/cases",
    kind: "operation",
    title: "Create a case"
  })
  assert.include(
    index.search("audit part").map(({ id }) => id),
    "/docs/operators/audit#a-part"
  )
})

it("has each guide of the repository", () => {
  const files = [...partnerSections, ...operatorSections].flatMap((section) => section.files)
  assert.lengthOf(new Set(files), files.length)
  assert.includeMembers(files, globSync("docs/guides/*.md", { cwd: root }))
})
