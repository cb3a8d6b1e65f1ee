import { OrganizationId } from "@care/domain/ids"
import { ownIdsApi } from "@care/domain/ownIds"
import type { ServiceName } from "@care/domain/peers"
import { rowsOf, type TablesOfIds } from "@care/service-kit"
import { Effect, Layer, Option, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SqlClient } from "effect/sql"

const found = rowsOf(Schema.Struct({ organizationId: Schema.NullOr(OrganizationId), isMoving: Schema.Boolean }))

/** Answers whether a service has an id, and of which organization it is. It does not have those of organizations that moved to another cell. */
export const layerOwnIdsApi = (service: ServiceName, tables: TablesOfIds) => {
  const api = ownIdsApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownIds",
    Effect.fnUntraced(function* (handlers) {
      const sql = yield* SqlClient.SqlClient
      return handlers.handleAll({
        find: Effect.fnUntraced(function* ({ params: { id, name } }) {
          const table = tables[name]
          if (table === undefined) return { isOwn: false }
          const organization = sql(name === "organizationId" ? "id" : "organization_id")
          const own = yield* found.first(sql`
            SELECT found.${organization} AS organization_id,
                   EXISTS (SELECT FROM organization_moves m WHERE m.organization_id = found.${organization}) AS is_moving
            FROM ${sql(table)} AS found
            WHERE id = ${id}
              AND NOT EXISTS (SELECT FROM absent_organizations a WHERE a.organization_id = found.${organization})
            LIMIT 1
          `)
          return Option.match(own, {
            onNone: () => ({ isOwn: false }),
            onSome: ({ isMoving, organizationId }) => ({ isOwn: true, isMoving, organizationId })
          })
        })
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
