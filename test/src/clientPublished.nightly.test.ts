import { readdirSync } from "node:fs"
import { join } from "node:path"
import { buildClient } from "@care/build"
import { temporaryFolder } from "@care/service-kit/testing"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { platformProgram, runIn } from "./harness/platforms.ts"

it.live("the packed client is found, with its types, by every way of resolving modules, and by require as ESM", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const client = join(folder, "client")
    yield* Effect.promise(() => buildClient(client))
    yield* Effect.promise(() => runIn(client, "npm", ["pack", "--pack-destination", folder]))
    const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
    yield* Effect.promise(() => runIn(client, platformProgram("publint"), ["--strict"]))
    // Node.js 20.19 and newer require ESM.
    const rules = ["--ignore-rules", "cjs-resolves-to-esm"]
    yield* Effect.promise(() => runIn(folder, platformProgram("attw"), [tarball, ...rules]))
  }).pipe(Effect.scoped)
)
