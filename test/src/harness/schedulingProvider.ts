import { schedulingControl } from "@care/stand-ins"
import { Effect, Schema } from "effect"
import { Suite } from "./Suite.ts"

const readUris = Schema.decodeUnknownSync(
  Schema.Struct({ collection: Schema.Array(Schema.Struct({ uri: Schema.String })) })
)

/** The test controls of the scheduling stand-in. */
export const atSchedulingProvider = Effect.map(Suite, ({ schedulingProviderUrl, secrets }) =>
  schedulingControl({ url: schedulingProviderUrl, token: secrets.SCHEDULING_API_TOKEN })
)

/** Returns the ids of a person's meetings at the scheduling provider, also cancelled ones, by their start. */
export const meetingsOf = (email: string) =>
  Effect.flatMap(Suite, ({ schedulingProviderUrl: url, secrets }) =>
    Effect.promise(async (signal): Promise<ReadonlyArray<string>> => {
      const query = new URLSearchParams({ organization: `${url}/organizations/org_demo`, invitee_email: email })
      const headers = { authorization: `Bearer ${secrets.SCHEDULING_API_TOKEN}` }
      const answer = await fetch(`${url}/scheduled_events?${query}`, { headers, signal })
      return readUris(await answer.json()).collection.map(({ uri }) => uri.split("/").at(-1) ?? "")
    })
  )
