import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")

it("only files in `people/`, and what a reset keeps, name the table `users` in SQL", () => {
  const files = globSync("**/*.ts", { cwd: root }).filter(
    (file) =>
      !file.endsWith(".test.ts") && /\b(FROM|JOIN|INTO|UPDATE)\s+users\b/.test(readFileSync(join(root, file), "utf8"))
  )
  assert.isAbove(files.length, 1)
  assert.deepStrictEqual(
    files.filter((file) => !file.startsWith("people/")),
    ["organizations/reset/keptTables.ts"]
  )
})
