import { makeReplica } from "@care/domain/http"
import { OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Replication from "../Replication.ts"

export const Thing = Schema.Struct({
  organizationId: OrganizationId,
  thingId: UserId,
  name: Schema.String,
  version: Schema.Int
})

export const thingReplica = makeReplica("things", "cases", UserId, Thing)

const things = rowsOf(Thing)

export class ThingReplication extends Replication.make<ThingReplication>()(
  "thing-replication",
  thingReplica,
  Effect.map(
    SqlClient.SqlClient,
    (sql) => (organizationId, ids) =>
      things.all(sql`
        SELECT organization_id, thing_id, name, version FROM things
        WHERE organization_id = ${organizationId} AND thing_id = ANY(${ids}::uuid[])
      `)
  )
) {}

/** Makes the tables of both: the owner has `things`; the reader has `thing_snapshots` and, for each stored snapshot, a row of `follow_ups`. */
export const layerTables = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(
      "organization_id uuid, thing_id uuid, name text NOT NULL, version integer NOT NULL, PRIMARY KEY (organization_id, thing_id)"
    )
    yield* sql`CREATE TABLE things (${columns})`
    yield* sql`CREATE TABLE thing_snapshots (${columns})`
    yield* sql`CREATE TABLE follow_ups (number serial, thing_id uuid, version integer)`
  })
)

/** Changes a thing of the owner in a transaction. */
export const changeThing = Effect.fnUntraced(function* (
  { organizationId, thingId }: Pick<typeof Thing.Type, "organizationId" | "thingId">,
  name: string
) {
  const sql = yield* SqlClient.SqlClient
  const { changed } = yield* ThingReplication
  const stored = sql`
    INSERT INTO things (organization_id, thing_id, name, version) VALUES (${organizationId}, ${thingId}, ${name}, 1)
    ON CONFLICT (organization_id, thing_id) DO UPDATE SET name = excluded.name, version = things.version + 1
  `
  yield* sql.withTransaction(Effect.andThen(stored, changed(organizationId, [thingId])))
})
