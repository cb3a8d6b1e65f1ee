import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { delayedQueues, queues, rareQueues } from "../bench/growth/queues.ts"

// A queue whose name others need, too.
const named: Readonly<Record<string, string>> = { clockQueue: "clock-advance" }

it("the growth benchmark has every kind of job of every service", () => {
  const services = join(import.meta.dirname, "..", "..", "services")
  const jobNames = globSync("*/src/**/*.ts", { cwd: services }).flatMap((file) => {
    const name = /extends (?:Job|Replication)\.make<\w+>\(\)\(\s*(?:"([^"]+)"|(\w+),)/.exec(
      readFileSync(join(services, file), "utf8")
    )
    if (name === null) return []
    const [, text, constant] = name
    return [`${file.split("/", 1).join("")} ${text ?? named[constant ?? ""]}`]
  })
  assert.isAbove(jobNames.length, 5)
  assert.deepStrictEqual([...queues, ...delayedQueues, ...rareQueues].sort(), jobNames.sort())
})
