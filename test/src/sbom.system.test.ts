import { readFileSync } from "node:fs"
import { join } from "node:path"
import { writeSbom } from "@care/build"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parse } from "yaml"

const root = join(import.meta.dirname, "../..")

const Bill = Schema.fromJsonString(
  Schema.Struct({
    bomFormat: Schema.Literal("CycloneDX"),
    components: Schema.Array(
      Schema.Struct({ name: Schema.String, version: Schema.String, group: Schema.optionalKey(Schema.String) })
    )
  })
)

const Versions = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
const Lockfile = Schema.Struct({
  importers: Schema.Record(
    Schema.String,
    Schema.Struct({
      dependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ version: Schema.String })))
    })
  ),
  snapshots: Schema.Record(Schema.String, Schema.Struct({ dependencies: Versions, optionalDependencies: Versions }))
})

const lockfile = Schema.decodeUnknownSync(Lockfile)(parse(readFileSync(join(root, "pnpm-lock.yaml"), "utf8")))

/** Returns the packages that the services and the console need in production, and those of them that only some machines need. */
const productionPackages = () => {
  const needed = new Set<string>()
  const optional = new Set<string>()
  const visit = (name: string, version: string) => {
    const key = `${name}@${version}`
    if (needed.has(key)) return
    needed.add(key)
    const { dependencies = {}, optionalDependencies = {} } = lockfile.snapshots[key] ?? assert.fail(`no ${key}`)
    for (const entry of Object.entries(dependencies)) visit(...entry)
    for (const [other, otherVersion] of Object.entries(optionalDependencies)) optional.add(`${other}@${otherVersion}`)
  }
  const visitImporter = (importer: string) => {
    for (const [name, { version }] of Object.entries(lockfile.importers[importer]?.dependencies ?? {})) {
      if (version.startsWith("link:")) visitImporter(join(importer, version.slice("link:".length)))
      else visit(name, version)
    }
  }
  for (const name of ["gateway", "auth", "cases", "payments", "scheduling", "console"])
    visitImporter(join("services", name))
  // The versions of peers are no part of the name.
  const nameOf = (key: string) => key.replace(/\(.*$/, "")
  return { needed: new Set([...needed].map(nameOf)), optional }
}

it.live("the software bill of materials names every production dependency of the lockfile, and nothing else", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "sbom.json")
    yield* Effect.promise(() => writeSbom(file))
    const { components } = Schema.decodeUnknownSync(Bill)(readFileSync(file, "utf8"))
    const named = components
      .map(({ group, name, version }) => `${group === undefined ? "" : `${group}/`}${name}@${version}`)
      .filter((name) => !name.startsWith("@care/"))
    const { needed, optional } = productionPackages()
    assert.isAbove(needed.size, 30)
    assert.sameMembers(
      named.filter((name) => !optional.has(name)),
      [...needed]
    )
    // The native module of this machine, which is in the image.
    assert.isAtLeast(named.filter((name) => name.startsWith("@node-rs/argon2-")).length, 1)
  }).pipe(Effect.scoped)
)
