import { readFileSync } from "node:fs"
import { join } from "node:path"
import { variables } from "@care/sandbox"
import { fileVariable } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { commands, configurationDocument } from "../configuration/configurationDocument.ts"

it("docs/configuration.md is what the declarations say (pnpm docs:configuration writes it)", () => {
  const written = readFileSync(join(import.meta.dirname, "../../docs/configuration.md"), "utf8")
  assert.strictEqual(written, `${configurationDocument}\n`)
})

it("docs/configuration.md has each variable that a process is given, once", () => {
  const named = Array.from(configurationDocument.matchAll(/^\| `([A-Z_]+)` *\|/gm), ([, name = ""]) => name)
  assert.isAbove(named.length, 50)
  assert.deepStrictEqual(named, [...new Set(named)])
  const passedToProcesses = [...new Set(Object.values(variables).flat())].filter((name) => !name.endsWith("_FILE"))
  assert.deepStrictEqual(
    passedToProcesses.filter((name) => !named.includes(name)),
    []
  )
  assert.deepStrictEqual(
    named.filter((name) => !passedToProcesses.includes(name) && !(name in commands)),
    []
  )
})

it("docs/configuration.md names the secrets that may come as files: those of processes and of commands", () => {
  const [, list = ""] = /Secrets: ([^.]+)\./.exec(configurationDocument) ?? []
  const notSecret = ["CARE_DATA_DIR", "CARE_URL", "XDG_CONFIG_HOME"]
  const files = new Set(Object.values(variables).flatMap((names) => names.filter((name) => name.endsWith("_FILE"))))
  assert.sameMembers(
    Array.from(list.matchAll(/`(\w+)`/g), ([, name = ""]) => `${name}_FILE`),
    [
      ...files,
      ...Object.keys(commands)
        .filter((name) => !notSecret.includes(name))
        .map(fileVariable)
    ]
  )
})
