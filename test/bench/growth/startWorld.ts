import type { StartSettings } from "@care/sandbox"
import { Effect } from "effect"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { growthStatements } from "./growthStatements.ts"
import { noteJobRuns } from "./jobRuns.ts"
import { makeWorld } from "./World.ts"

// There is room for all that is stored and is stored meanwhile: what is measured is work, and not this machine's disk.
const kilobytesPerCase = 9

/**
 * Starts a suite, of the sources unless programs are given, whose one organization has a number of cases and patients, and what
 * hangs on them.
 */
export const startWorld = Effect.fnUntraced(function* (
  size: number,
  fileUrl: string,
  programs: Pick<StartSettings, "programOf"> = {}
) {
  const bufferMegabytes = Math.ceil(256 + (size * kilobytesPerCase) / 1024)
  const bench = yield* startBench({ isProduction: false, bufferMegabytes, ...programs })
  const { admin, database, organizationId } = bench
  const bundleId = yield* admin.create(`/organizations/${organizationId}/bundles`, {
    name: "Bundle",
    description: "A program",
    imageUrl: "https://example.com/bundle.png",
    price: "99.00",
    priceUnit: "USD",
    initialDiscount: "0.00",
    isSoldOut: false,
    isVisible: true
  })
  say(`Storing ${size.toLocaleString("en")} cases and what hangs on them ...`)
  const caseIds = yield* Effect.promise(() => seedCases(database, bench, [1, size], growthStatements))
  yield* Effect.promise(() => noteJobRuns(database))
  return yield* Effect.promise(() => makeWorld(bench, { bundleId, fileUrl, caseIds }))
})
