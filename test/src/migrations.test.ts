import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { migrations as auth } from "@care/auth/migrations"
import { migrations as cases } from "@care/cases/migrations"
import { migrations as payments } from "@care/payments/migrations"
import { services } from "@care/sandbox"
import { migrations as scheduling } from "@care/scheduling/migrations"
import { assert, describe, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")
const list = "test/migrations.sha256"
const sets = { auth, cases, payments, scheduling }

const files = globSync("services/*/migrations/[0-9]*.ts", { cwd: root }).sort()
const textOf = (file: string) => readFileSync(join(root, file), "utf8")
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "")
// In the format of `sha256sum`.
const lineOf = (file: string) => `${createHash("sha256").update(textOf(file)).digest("hex")}  ${file}`

/** Compares migrations with the list of their checksums. Returns the differences, and what to do about each. */
const findings = (listed: ReadonlyArray<string>, stored: ReadonlyArray<string>): ReadonlyArray<string> => {
  const fileOf = (line: string) => line.slice(66)
  const isKnown = new Set(listed.map(fileOf))
  const isThere = new Set(stored.map(fileOf))
  const isListed = new Set(listed)
  return [
    ...listed
      .map(fileOf)
      .flatMap((file) => (isThere.has(file) ? [] : [`${file} is gone: databases have run it. Put it back.`])),
    ...stored.flatMap((line) => {
      if (isListed.has(line)) return []
      return isKnown.has(fileOf(line))
        ? [`${fileOf(line)} was changed: databases have run it. Put it back, and add a new migration.`]
        : [`${fileOf(line)} is new. Add this line to ${list}: ${line}`]
    })
  ]
}

describe("migrations", () => {
  it("are as they were when they were listed, and all are listed", () => {
    assert.deepStrictEqual(findings(linesOf(textOf(list)), files.map(lineOf)), [])
  })

  it("that are changed, removed or new are refused, with an instruction", () => {
    const [old, other] = [`${"0".repeat(64)}  a.ts`, `${"1".repeat(64)}  a.ts`]
    assert.deepStrictEqual(findings([old], [old]), [])
    assert.match(findings([old], [other]).join(), /^a\.ts was changed: .* add a new migration\.$/)
    assert.match(findings([old], []).join(), /^a\.ts is gone: .* Put it back\.$/)
    assert.strictEqual(findings([], [old]).join(), `a.ts is new. Add this line to ${list}: ${old}`)
  })

  it("are all run, under their own names", () => {
    for (const service of services) {
      const names = files.filter((file) => file.startsWith(`services/${service}/`)).map((file) => basename(file, ".ts"))
      assert.isAbove(names.length, 10)
      assert.deepStrictEqual(Object.keys(sets[service]), names)
    }
  })

  it("import no project code that could change their effect", () => {
    const allowed = new Set([
      'import { Effect } from "effect"',
      'import { SqlClient } from "effect/sql"',
      'import { concurrentIndex } from "@care/service-kit"'
    ])
    const imports = files.flatMap((file) => textOf(file).match(/^import .*$/gm) ?? [])
    assert.isAbove(imports.length, files.length)
    assert.deepStrictEqual(
      imports.filter((line) => !allowed.has(line)),
      []
    )
  })

  it("name no documents, which change later", () => {
    assert.deepStrictEqual(
      files.filter((file) => /\.md\b|\bdocs\//.test(textOf(file))),
      []
    )
  })

  it("of several services under one name are the same text", () => {
    const named = Map.groupBy(files, (file) => basename(file).replace(/^\d+_/, ""))
    const shared = [...named.values()].filter(({ length }) => length > 1)
    assert.isAbove(shared.length, 5)
    for (const [first = "", ...others] of shared) {
      for (const other of others) assert.strictEqual(textOf(other), textOf(first), `${other} differs from ${first}`)
    }
  })
})
