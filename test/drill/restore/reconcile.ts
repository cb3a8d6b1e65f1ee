import { Effect, Schema } from "effect"
import { admin } from "../../src/harness/call.ts"

const Step = Schema.Struct({
  services: Schema.Array(
    Schema.Struct({
      state: Schema.String,
      differences: Schema.Array(Schema.Struct({ action: Schema.String, what: Schema.String, id: Schema.String }))
    })
  )
})
const decodeStep = Schema.decodeUnknownSync(Step)

/** A difference that a sweep has repaired or reported. */
export type Found = (typeof Step.Type)["services"][number]["differences"][number]

/** Compares all services with their providers, to the end. Returns the differences, each once. */
export const reconcile = Effect.gen(function* () {
  const found = new Map<string, Found>()
  for (const service of ["payments", "scheduling", "cases"]) {
    let state = ""
    while (state !== "DONE") {
      const [step] = decodeStep((yield* admin("POST", "/reconciliations", { service })).json).services
      state = step?.state ?? "DONE"
      for (const difference of step?.differences ?? []) found.set(`${difference.what} ${difference.id}`, difference)
      if (state === "BUSY") yield* Effect.sleep("1 second")
    }
  }
  return [...found.values()]
})
