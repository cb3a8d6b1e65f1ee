import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")

it("only the room of people names the table of users in SQL", () => {
  const naming = globSync("**/*.ts", { cwd: root }).filter(
    (file) =>
      !file.endsWith(".test.ts") && /\b(FROM|JOIN|INTO|UPDATE)\s+users\b/.test(readFileSync(join(root, file), "utf8"))
  )
  assert.isAbove(naming.length, 1)
  assert.deepStrictEqual(
    naming.filter((file) => !file.startsWith("people/")),
    []
  )
})
