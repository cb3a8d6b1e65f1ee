import { parseArgs } from "node:util"
import { Effect } from "effect"
import { compare } from "./compare/compare.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "2000,1000000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "6" },
    "warm-up": { type: "string", default: "8" }
  }
})

await Effect.runPromise(
  Effect.scoped(
    compare({
      sizes: values.sizes.split(",").map(Number),
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      warmUpSeconds: Number(values["warm-up"])
    })
  )
)
