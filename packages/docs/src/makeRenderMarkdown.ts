import { dirname, join } from "node:path"
import MarkdownIt, { type Token } from "markdown-it"
import { escapeHtml, makeHighlight, titleOfLanguage } from "./codeBlocks.ts"
import type { makeTargetOf } from "./links.ts"

/** A heading of a page below its title. */
export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

/** A page that was rendered: its title, its text as HTML, its headings, and the text below each of them for the search. */
export interface Rendered {
  readonly title: string
  readonly html: string
  readonly headings: ReadonlyArray<Heading>
  readonly texts: ReadonlyArray<{ readonly heading: Heading | undefined; readonly text: string }>
}

/** Returns the anchor that GitHub makes of a heading, so that links work in both places. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-")

const plainOf = (token: Token | undefined): string =>
  (token?.children ?? []).map((child) => (child.type === "softbreak" ? " " : child.content)).join("")

const languageOf = (info: string): string => info.split(" ", 1)[0] ?? ""

const copy = '<button type="button" class="copy" data-copy>Copy</button>'

interface Options {
  readonly targetOf: ReturnType<typeof makeTargetOf>
  /** Returns the address of a picture by its file. */
  readonly pictureAt: (file: string) => string
}

/**
 * Makes the function that renders a page. Blocks of code in several languages that follow each other directly are one block
 * with tabs.
 */
export const makeRenderMarkdown = async ({ pictureAt, targetOf }: Options) => {
  const highlight = await makeHighlight()
  const markdown = new MarkdownIt({ html: false })

  const codeOf = ({ content, info }: Token) => {
    const language = languageOf(info)
    return { language, html: `<pre tabindex="0"><code>${highlight(content.trimEnd(), language)}</code></pre>` }
  }

  const groups = new Map<Token, ReadonlyArray<Token>>()

  // The first block of a group is rendered with all its tabs, the others with it.
  const groupBlocks = (tokens: ReadonlyArray<Token>) => {
    let group: Array<Token> = []
    tokens.forEach((token, index) => {
      if (token.type !== "fence") return
      const isNext =
        tokens[index - 1]?.type === "fence" && !group.some(({ info }) => languageOf(info) === languageOf(token.info))
      if (isNext) group.push(token)
      else {
        group = [token]
        groups.set(token, group)
      }
    })
  }

  markdown.renderer.rules["fence"] = (tokens, index) => {
    const token = tokens[index]
    const group = token === undefined ? undefined : groups.get(token)
    if (group === undefined) return ""
    const blocks = group.map(codeOf)
    const [only] = blocks
    if (only === undefined) return ""
    if (blocks.length === 1) return `<div class="code">${copy}${only.html}</div>\n`
    const tabs = blocks.map(
      ({ language }, at) =>
        `<button type="button" role="tab" id="tab-${index}-${at}" aria-controls="panel-${index}-${at}" aria-selected="${at === 0}" tabindex="${at === 0 ? 0 : -1}" data-language="${escapeHtml(language)}">${escapeHtml(titleOfLanguage(language))}</button>`
    )
    const panels = blocks.map(
      ({ html }, at) =>
        `<div role="tabpanel" id="panel-${index}-${at}" aria-labelledby="tab-${index}-${at}"${at === 0 ? "" : " hidden"}>${html}</div>`
    )
    return `<div class="code tabs">${copy}<div role="tablist" aria-label="Language">${tabs.join("")}</div>${panels.join("")}</div>\n`
  }
  markdown.renderer.rules["table_open"] = (tokens, index) => {
    const number = tokens.slice(0, index + 1).filter(({ type }) => type === "table_open").length
    return `<div class="table" tabindex="0" role="region" aria-label="Table ${number}"><table>`
  }
  // A column without a name has no heading.
  markdown.renderer.rules["th_open"] = (tokens, index) => (tokens[index + 1]?.content === "" ? "<td>" : "<th>")
  markdown.renderer.rules["th_close"] = (tokens, index) => (tokens[index - 1]?.content === "" ? "</td>" : "</th>")
  markdown.renderer.rules["table_close"] = () => "</table></div>\n"
  markdown.renderer.rules["heading_open"] = (tokens, index) => {
    const { tag } = tokens[index] ?? { tag: "h2" }
    const anchor = tag === "h1" ? undefined : anchorOf(plainOf(tokens[index + 1]))
    return anchor === undefined ? `<${tag}>` : `<${tag} id="${escapeHtml(anchor)}">`
  }
  markdown.renderer.rules["heading_close"] = (tokens, index) => {
    const { tag } = tokens[index] ?? { tag: "h2" }
    if (tag === "h1") return "</h1>\n"
    const text = plainOf(tokens[index - 1])
    return ` <a class="anchor" href="#${escapeHtml(anchorOf(text))}" aria-label="Link to ${escapeHtml(text)}">#</a></${tag}>\n`
  }

  const follow = (tokens: ReadonlyArray<Token>, file: string) => {
    const open: Array<boolean> = []
    for (const token of tokens) {
      if (token.type === "link_open") {
        const target = targetOf(file, String(token.attrGet("href")))
        if (target === undefined) token.attrs = []
        else token.attrSet("href", target)
        token.tag = target === undefined ? "span" : "a"
        open.push(target !== undefined)
      } else if (token.type === "link_close") token.tag = open.pop() === false ? "span" : "a"
      else if (token.type === "image") {
        token.attrSet("src", pictureAt(join(dirname(file), String(token.attrGet("src")))))
        token.attrSet("loading", "lazy")
      }
      const [first] = token.children ?? []
      if (first?.content.startsWith("[ ] ")) first.content = `☐ ${first.content.slice(4)}`
      if (token.children) follow(token.children, file)
    }
  }

  return (source: string, file: string): Rendered => {
    const tokens = markdown.parse(source, {})
    follow(tokens, file)
    groupBlocks(tokens)
    let title = ""
    const headings: Array<Heading> = []
    const texts: Array<{ heading: Heading | undefined; text: string }> = [{ heading: undefined, text: "" }]
    tokens.forEach((token, index) => {
      if (token.type === "heading_open") {
        const text = plainOf(tokens[index + 1])
        if (token.tag === "h1") title = text
        else {
          const heading = { level: Number(token.tag.slice(1)), text, anchor: anchorOf(text) }
          headings.push(heading)
          texts.push({ heading, text: "" })
        }
      } else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
        const last = texts.at(-1)
        if (last !== undefined) last.text += `${plainOf(token)} `
      } else if (token.type === "fence") {
        const last = texts.at(-1)
        if (last !== undefined) last.text += `${token.content} `
      }
    })
    return { title, html: markdown.renderer.render(tokens, markdown.options, {}), headings, texts }
  }
}
