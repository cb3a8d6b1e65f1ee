import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { assert, it } from "@effect/vitest"

/** Returns the files of this repository that a module loads, without types. */
const loadedBy = (file: string, files = new Set<string>()): ReadonlySet<string> => {
  files.add(file)
  const { resolve } = createRequire(file)
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )[^"]*from "([^"]+)"$/gm
  )) {
    if (!/^(?:\.|@care\/)/.test(name)) continue
    const loaded = resolve(name)
    if (!files.has(loaded)) loadedBy(loaded, files)
  }
  return files
}

it("the command line starts without loading the contracts", () => {
  const loaded = Array.from(loadedBy(join(import.meta.dirname, "main.ts")), (file) => basename(file))
  assert.includeMembers(loaded, ["care.ts", "AdminClient.ts", "job.ts", "Job.ts", "Role.ts", "peers.ts"])
  assert.deepStrictEqual(
    loaded.filter((file) => file.endsWith("Api.ts")),
    []
  )
})
