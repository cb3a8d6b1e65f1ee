import { createCssVariablesTheme, createHighlighter } from "shiki"

const theme = createCssVariablesTheme({ name: "care", variablePrefix: "" })

const languages = ["sh", "ts", "json", "python", "php", "sql", "yaml", "http", "js"] as const

const isKnown = (language: string): language is (typeof languages)[number] =>
  languages.some((known) => known === language)

const titles: Readonly<Record<string, string>> = { sh: "curl", ts: "TypeScript", python: "Python", php: "PHP" }

/** Returns the name of a language as the tab of a code block shows it. */
export const titleOfLanguage = (language: string): string => titles[language] ?? language

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/**
 * Returns a function that makes HTML of code. Each token has a class of its kind (`token-keyword`): the site's policy allows no
 * `style` attributes.
 */
export const makeHighlight = async () => {
  const highlighter = await createHighlighter({ themes: [theme], langs: [...languages] })
  return (code: string, language: string): string => {
    if (!isKnown(language)) return escapeHtml(code)
    const { tokens } = highlighter.codeToTokens(code, { lang: language, theme: "care" })
    const spanOf = ({ color = "", content }: { readonly color?: string; readonly content: string }) => {
      const kind = /token-[a-z-]+/.exec(color)?.[0]
      return kind === undefined ? escapeHtml(content) : `<span class="${kind}">${escapeHtml(content)}</span>`
    }
    return tokens.map((line) => line.map(spanOf).join("")).join("\n")
  }
}
