import { schedulingControl } from "@care/sandbox"
import { Effect } from "effect"
import { Suite } from "./Suite.ts"

/** What tests ask of the stand-in for the scheduling provider, beside what its API is asked. */
export const atSchedulingProvider = Effect.map(Suite, ({ schedulingProviderUrl, secrets }) =>
  schedulingControl({ url: schedulingProviderUrl, token: secrets.SCHEDULING_API_TOKEN })
)
