import { dirname, join } from "node:path"
import { pagePath } from "./pages.ts"

/** Where a link of a page leads: to another address, or to text alone, because its target is a file that the site lacks. */
export type Target = string | undefined

const isAddress = (link: string) => /^(https?|mailto):/.test(link)

/** Makes the function that turns the links between files of the repository into those of the site. */
export const makeTargetOf =
  (files: ReadonlySet<string>) =>
  (from: string, link: string): Target => {
    if (isAddress(link) || link.startsWith("#")) return link
    const [path = "", anchor] = link.split("#")
    const file = join(dirname(from), path)
    if (!files.has(file)) return undefined
    return `/docs/${pagePath(file)}${anchor === undefined ? "" : `#${anchor}`}`
  }

/** Replaces the links of a Markdown text by those of the site, to the pages as Markdown. */
export const withSiteLinks = (text: string, file: string, targetOf: ReturnType<typeof makeTargetOf>): string =>
  text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, image: string, label: string, link: string) => {
    if (image !== "") return label
    const target = targetOf(file, link)
    if (target === undefined) return label
    return `[${label}](${target.replace(/^(\/docs\/[^#]+)/, "$1.md")})`
  })
