import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { endpoints } from "@care/domain/endpoints"
import { publicCallers } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { operations } from "../bench/growth/operations.ts"
import { delayedQueues, queues, rareQueues } from "../bench/growth/queues.ts"

it("the growth benchmark has an operation of every endpoint that somebody outside may call, and of no other", () => {
  const known = endpoints
    .filter(({ caller }) => caller !== undefined && Object.hasOwn(publicCallers, caller))
    .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  const measured = Object.keys(operations).map((name) => name.split(": ", 1).join(""))
  assert.isAbove(known.length, 30)
  assert.deepStrictEqual([...new Set(measured)].sort(), [...new Set(known)].sort())
})

it("the growth benchmark has every kind of job of every service", () => {
  const services = join(import.meta.dirname, "..", "..", "services")
  const known = globSync("*/src/**/*.ts", { cwd: services }).flatMap((file) => {
    const name = /extends Job\.make<\w+>\(\)\("([^"]+)"/.exec(readFileSync(join(services, file), "utf8"))?.[1]
    return name === undefined ? [] : [`${file.split("/", 1).join("")} ${name}`]
  })
  assert.isAbove(known.length, 5)
  assert.deepStrictEqual([...queues, ...delayedQueues, ...rareQueues].sort(), known.sort())
})
