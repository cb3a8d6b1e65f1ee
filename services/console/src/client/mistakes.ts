import { SchemaIssue } from "effect"

/** What is wrong in an input, by the names of the fields: `{ name: "must not be empty" }`. */
export type Mistakes = Readonly<Record<string, string>>

const describe = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns what a schema found wrong. */
export const mistakesIn = (issue: SchemaIssue.Issue): Mistakes =>
  Object.fromEntries(describe(issue).issues.map(({ message, path = [] }) => [path.join("."), message]))

// `medInfo.0.refillCount` is "med info 1, refill count".
const fieldInWords = (name: string): string =>
  name
    .replaceAll(/\.(\d+)/gu, (_, index) => ` ${Number(index) + 1}`)
    .replaceAll(".", ", ")
    .replaceAll(/\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`)

/** Returns mistakes as one text: "name: must not be empty". */
export const mistakesInWords = (mistakes: Mistakes): string =>
  Object.entries(mistakes)
    .map(([name, text]) => (name === "" ? text : `${fieldInWords(name)}: ${text}`))
    .join("; ")
