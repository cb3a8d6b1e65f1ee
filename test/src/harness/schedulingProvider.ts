import { schedulingControl } from "@care/stand-ins"
import { Effect, Schema } from "effect"
import { Suite } from "./Suite.ts"

const readUris = Schema.decodeUnknownSync(
  Schema.Struct({ collection: Schema.Array(Schema.Struct({ uri: Schema.String })) })
)

/** What tests ask of the stand-in for the scheduling provider, beside what its API is asked. */
export const atSchedulingProvider = Effect.map(Suite, ({ schedulingProviderUrl, secrets }) =>
  schedulingControl({ url: schedulingProviderUrl, token: secrets.SCHEDULING_API_TOKEN })
)

/** The ids of the meetings of somebody at the scheduling provider, the one that begins first first, whatever became of them. */
export const meetingsOf = (email: string) =>
  Effect.flatMap(Suite, ({ schedulingProviderUrl: url, secrets }) =>
    Effect.promise(async (signal): Promise<ReadonlyArray<string>> => {
      const query = new URLSearchParams({ organization: `${url}/organizations/org_demo`, invitee_email: email })
      const headers = { authorization: `Bearer ${secrets.SCHEDULING_API_TOKEN}` }
      const answer = await fetch(`${url}/scheduled_events?${query}`, { headers, signal })
      return readUris(await answer.json()).collection.map(({ uri }) => uri.split("/").at(-1) ?? "")
    })
  )
