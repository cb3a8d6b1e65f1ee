import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { migrations as auth } from "@care/auth/migrations"
import { migrations as cases } from "@care/cases/migrations"
import { migrations as payments } from "@care/payments/migrations"
import { services } from "@care/sandbox"
import { migrations as scheduling } from "@care/scheduling/migrations"
import { type Migration, OutsideTransaction, suiteVersion } from "@care/service-kit"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { lintMigrations } from "./harness/migrations/lintMigrations.ts"
import { statementsOf } from "./harness/migrations/statementsOf.ts"

const root = join(import.meta.dirname, "../..")
const list = "test/migrations.sha256"
const sets = { auth, cases, payments, scheduling }

const files = globSync("services/*/migrations/[0-9]*.ts", { cwd: root }).sort()
const textOf = (file: string) => readFileSync(join(root, file), "utf8")
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
const fileOf = (line: string) => line.slice(66)
// In the format of `sha256sum`.
const lineOf = (file: string) => `${createHash("sha256").update(textOf(file)).digest("hex")}  ${file}`

/** Returns the version of each listed migration: the number of the heading above it, `# version 2`. */
const versionsOf = (text: string): ReadonlyMap<string, number> => {
  let version = 0
  const versions = new Map<string, number>()
  for (const line of text.split("\n")) {
    const heading = /^# version (\d+)$/.exec(line)?.[1]
    if (heading !== undefined) version = Number(heading)
    else if (line !== "") versions.set(fileOf(line), version)
  }
  return versions
}

/** Compares migrations with the list of their checksums. Returns the differences, and what to do about each. */
const findings = (listed: ReadonlyArray<string>, stored: ReadonlyArray<string>): ReadonlyArray<string> => {
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
        : [`${fileOf(line)} is new. Add this line at the end of ${list}, below the version that brings it: ${line}`]
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
    assert.strictEqual(
      findings([], [old]).join(),
      `a.ts is new. Add this line at the end of ${list}, below the version that brings it: ${old}`
    )
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
      'import { concurrentIndex } from "@care/service-kit"',
      'import { concurrentUniqueIndex } from "@care/service-kit"',
      'import { partitionedIndex } from "@care/service-kit"',
      'import { OutsideTransaction } from "@care/service-kit"',
      'import { concurrentIndex, OutsideTransaction } from "@care/service-kit"'
    ])
    const imports = files.flatMap((file) => textOf(file).match(/^import .*$/gm) ?? [])
    assert.isAbove(imports.length, files.length)
    assert.deepStrictEqual(
      imports.filter((line) => !allowed.has(line)),
      []
    )
  })

  const versions = versionsOf(textOf(list))
  const namesOf = (service: string) =>
    [...versions.keys()].filter((file) => file.startsWith(`services/${service}/`)).map((file) => basename(file, ".ts"))

  it("of a version come after those of the versions before, and none belongs to a version above the suite's", () => {
    assert.deepStrictEqual([...versionsOf(`# version 2\n${lineOf(files[0] ?? "")}`).values()], [2])
    assert.include([...versions.values()], 1)
    assert.isAtMost(
      Math.max(...versions.values()),
      suiteVersion,
      "raise suiteVersion: a version has new migrations, and the one before has to refuse the version after it"
    )
    assert.deepStrictEqual(
      [...versions.values()],
      [...versions.values()].sort((a, b) => a - b)
    )
    for (const service of services) assert.deepStrictEqual(namesOf(service), namesOf(service).sort())
  })

  const readMigrations = (service: (typeof services)[number]) =>
    Effect.forEach(Object.entries<Migration>(sets[service]), ([name, migration]) => {
      const file = `services/${service}/migrations/${name}.ts`
      const unusedSince = /\bUnused since version (\d+)\b/.exec(textOf(file))?.[1]
      return Effect.map(statementsOf(migration), (statements) => ({
        file,
        version: versions.get(file) ?? suiteVersion,
        isInTransaction: !(migration instanceof OutsideTransaction),
        statements,
        unusedSince: unusedSince === undefined ? undefined : Number(unusedSince)
      }))
    })

  for (const service of services) {
    it.effect(`of ${service} let the version before go on, and lock no large table`, () =>
      Effect.gen(function* () {
        const migrations = yield* readMigrations(service)
        assert.isAbove(migrations.flatMap(({ statements }) => statements).length, 20)
        assert.deepStrictEqual(lintMigrations(migrations), [])
      })
    )
  }

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
