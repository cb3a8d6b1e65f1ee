import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")
const text = readFileSync(join(root, "docs/security.md"), "utf8")

const testsIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : testsIn(join(folder, entry.name))
    return entry.name.endsWith(".test.ts") ? [entry.name] : []
  })

const existingTests: ReadonlySet<string> = new Set(["packages", "services", "test"].flatMap(testsIn))

it("docs/security.md names existing tests", () => {
  const named = Array.from(text.matchAll(/`([\w./]+\.test\.ts)`/g), ([, file = ""]) => basename(file))
  assert.isAbove(named.length, 80)
  assert.deepStrictEqual(
    named.filter((file) => !existingTests.has(file)),
    []
  )
})

it("docs/security.md has a test for each of the ten risks, and each safeguard", () => {
  const rows = text.split("\n").filter((line) => /^\| (API\d+ |\([a-e]\) |at rest )/.test(line))
  assert.isAtLeast(rows.length, 20)
  for (const row of rows) assert.match(row, /\.test\.ts/, row)
})
