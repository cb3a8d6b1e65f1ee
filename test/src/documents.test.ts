import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"

const root = join(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** Returns the files of the repository that match a pattern. */
const filesLike = (...patterns: Array<string>): ReadonlyArray<string> =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules", "**/dist", "**/.data", "**/.git"] })

const documents = filesLike("**/*.md")
const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Returns the anchor that GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-")

const anchorsOf = (file: string): ReadonlyArray<string> =>
  Array.from(read(file).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => anchorOf(heading))

const isThere = (from: string, link: string): boolean => {
  const [path = "", anchor] = link.split("#")
  const file = path === "" ? from : join(dirname(from), path)
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || (statSync(join(root, file)).isFile() && anchorsOf(file).includes(anchor))
}

it("links in documents have targets", () => {
  assert.isAbove(documents.length, 20)
  const broken = documents.flatMap((file) =>
    Array.from(read(file).matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link)
      .filter((link) => !/^(https?|mailto):/.test(link) && !isThere(file, link))
      .map((link) => `${file}: ${link}`)
  )
  assert.deepStrictEqual(broken, [])
})

/** Returns the formal mistakes of a document, by lines. */
const flawsOf = (text: string): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  let isCode = false
  let columns: number | undefined
  for (const [index, line] of text.split("\n").entries()) {
    const flaw = (what: string) => flaws.push(`${index + 1}: ${what}`)
    if (line !== line.trimEnd()) flaw("ends with white space")
    if (line.startsWith("```")) {
      if (!isCode && line === "```") flaw("code without a language")
      isCode = !isCode
    }
    const cells = !isCode && line.startsWith("|") ? line.replaceAll("\\|", "").split("|").length : undefined
    if (columns !== undefined && cells !== undefined && cells !== columns) flaw("a row with other columns")
    columns = cells
    if (index > 0 && !isCode && /^# /.test(line)) flaw("a second title")
  }
  if (!/^##? \S/.test(text)) flaws.push("no title")
  if (isCode) flaws.push("code without an end")
  if (!text.endsWith("\n") || text.endsWith("\n\n")) flaws.push("its end is not one line break")
  return flaws
}

it("documents are well-formed", () => {
  assert.isNotEmpty(flawsOf("# A\n\n```\n"))
  assert.isNotEmpty(flawsOf("# A\n\n| a | b |\n| - |\n"))
  const flaws = documents.flatMap((file) => flawsOf(read(file)).map((flaw) => `${file}:${flaw}`))
  assert.deepStrictEqual(flaws, [])
})

it("comments name documents that exist", () => {
  const files = filesLike("**/*.ts", "*.yaml", "*.yml", "Dockerfile")
  const missing = files.flatMap((file) =>
    Array.from(read(file).matchAll(/(?<!\/)\bdocs\/[\w/.-]+\.md\b/g), ([named]) => named)
      .filter((named) => !existsSync(join(root, named)))
      .map((named) => `${file}: ${named}`)
  )
  assert.deepStrictEqual(missing, [])
})

it("README and AGENTS.md are short", () => {
  assert.isAtMost(read("README.md").split("\n").length, 151)
  assert.isAtMost(read("AGENTS.md").split("\n").length, 81)
})

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    dependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    devDependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  })
)

it("docs/dependencies.md names each dependency of the workspace, and no other", () => {
  const used = filesLike("package.json", "*/package.json", "*/*/package.json").flatMap((file) => {
    const { dependencies, devDependencies } = Schema.decodeUnknownSync(Manifest)(read(file))
    return Object.keys({ ...dependencies, ...devDependencies })
  })
  const foreign = used.filter((name) => !name.startsWith("@care/") && !name.startsWith("@types/"))
  const rows = read("docs/dependencies.md").matchAll(/^\| (`.*?`) *\|/gm)
  const named = Array.from(rows, ([, cell = ""]) => cell.split(", ").map((name) => name.replaceAll("`", "")))
  assert.deepStrictEqual(
    named
      .flat()
      .filter((name) => name !== "@types/*")
      .sort(),
    [...new Set(foreign)].sort()
  )
})

it("documents are short enough to be read", () => {
  // A catalogue to look things up in, which is written from the contracts.
  const written = documents.filter((file) => file !== "docs/guides/errors.md")
  // A program in TypeScript says what the commands before it say: nobody reads both.
  const words = written.map((file) => wordsOf(read(file).replaceAll(/^```ts\n[\s\S]*?^```$/gm, "")))
  assert.isAtMost(
    words.reduce((sum, each) => sum + each, 0),
    32_600
  )
})

it("there are at most 28 decisions, each of at most 250 words", () => {
  const decisions = documents.filter((file) => file.startsWith("docs/decisions/"))
  assert.isAtMost(decisions.length, 28)
  assert.deepStrictEqual(
    decisions.filter((file) => wordsOf(read(file)) > 250),
    []
  )
})

it("the picture of the packages in docs/architecture.md is the workspace", () => {
  const arrows = read("docs/architecture.md").matchAll(/^ {2}([a-z-]+) --> ([a-z-]+(?: & [a-z-]+)*)$/gm)
  const shown = Array.from(arrows, ([, from = "", to = ""]) => [from, to.split(" & ")] as const)
  const used = filesLike("packages/*/package.json", "services/*/package.json").flatMap((file) => {
    const { dependencies = {} } = Schema.decodeUnknownSync(Manifest)(read(file))
    const own = Object.keys(dependencies).filter((name) => name.startsWith("@care/"))
    return own.length === 0 ? [] : [[basename(dirname(file)), own.map((name) => name.slice("@care/".length)).sort()]]
  })
  assert.deepStrictEqual(Object.fromEntries(shown), Object.fromEntries(used))
})

it("the files that docs/glossary.md names exist", () => {
  const named = Array.from(read("docs/glossary.md").matchAll(/`([\w./-]+\.ts)`/g), ([, file = ""]) => file)
  assert.isAbove(named.length, 40)
  assert.deepStrictEqual(
    named.filter((file) => !existsSync(join(root, file))),
    []
  )
})

it("docs/glossary.md names every room of the services", () => {
  const rooms = filesLike("services/*/src/*/index.ts")
  assert.isAbove(rooms.length, 30)
  const glossary = read("docs/glossary.md")
  assert.deepStrictEqual(
    rooms.filter((file) => !glossary.includes(`\`${file}\``)),
    []
  )
})

// Words of our own that were replaced by the field's terms. They must not become names again.
const retired = [
  "tellAtOnce",
  "goOnInTurns",
  "askTogether",
  "askOthers",
  "onePerOrganization",
  "Doing",
  "letGo",
  "gathering",
  "movesOrder",
  "spool",
  "Standing",
  "Places",
  "HeldOrganizations",
  "judge",
  "Books",
  "deaths",
  "doings",
  "walks",
  "askControl",
  "sharedQuestions",
  "tellEvents",
  "waitingEvents",
  "makeTakeInEvent",
  "makeInTurns",
  "impatiently",
  "stopWithUs"
]

// Vague verbs and nouns, in the folders that have none of them any more.
const retiredThere = ["told", "asked", "wanted", "facts", "places", "standing", "begun"]
const withoutThem = [
  "packages/**/*.ts",
  "services/{auth,gateway,payments}/**/*.ts",
  "test/{operations,src/harness}/**/*.ts"
]

it("retired words are not used as identifiers", () => {
  const nameOf = (words: ReadonlyArray<string>) => new RegExp(`(?<!\\.)\\b(${words.join("|")})\\b`)
  const retiredName = nameOf(retired)
  const withoutProse = (text: string): string =>
    text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/"[^"\n]*"|\/\/.*$/gm, "")
  assert.notMatch(withoutProse('const queue = "spool" // no spool'), retiredName)
  assert.match(withoutProse("const spool = 1"), retiredName)
  const filesWith = (words: ReadonlyArray<string>, ...patterns: Array<string>) =>
    filesLike(...patterns).filter((file) => nameOf(words).test(withoutProse(read(file))))
  assert.deepStrictEqual(filesWith(retired, "packages/**/*.ts", "services/**/*.ts", "test/**/*.ts"), [])
  assert.deepStrictEqual(filesWith(retiredThere, ...withoutThem), [])
})
