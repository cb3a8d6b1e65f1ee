import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeRecent } from "../sql/makeRecent.ts"
import { rowsOf } from "../sql/rows.ts"
import { OrganizationMoved } from "./OrganizationMoved.ts"

/** The organizations that moved to or arrive from another cell (docs/decisions/0064-cells.md). */
export interface OrganizationMoves {
  /** Returns the cell that has an organization; undefined if it is this one. */
  readonly movedTo: (organizationId: OrganizationId) => Effect.Effect<string | undefined>
}

/** Without `layerOrganizationMoves` no organization ever moved. */
export const OrganizationMoves = Context.Reference<OrganizationMoves>("@care/service-kit/moves/OrganizationMoves", {
  defaultValue: () => ({ movedTo: () => Effect.undefined })
})

const moves = rowsOf(Schema.Struct({ organizationId: Schema.String }))
const cells = rowsOf(Schema.Struct({ cell: Schema.String }))

/**
 * Knows which organizations move, because an organization is frozen for longer than `recentMillis` before it has moved. Only their requests
 * read in the database whether they have.
 */
export const layerOrganizationMoves = Layer.effect(
  OrganizationMoves,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const moving = yield* makeRecent(
      Effect.map(
        moves.all(sql`SELECT organization_id FROM organization_moves`),
        (rows): ReadonlySet<string> => new Set(rows.map(({ organizationId }) => organizationId))
      )
    )
    const look = (organizationId: OrganizationId) =>
      Effect.map(
        cells.all(sql`
          SELECT cell FROM organization_moves WHERE organization_id = ${organizationId} AND state IN ('MOVED', 'ARRIVING')
        `),
        ([moved]) => moved?.cell
      )
    return {
      movedTo: (organizationId) =>
        Effect.flatMap(moving, (listed) => (listed.has(organizationId) ? look(organizationId) : Effect.undefined))
    }
  })
)

/** Dies with `OrganizationMoved` if an organization is in another cell. Every endpoint answers that with the cell. */
export const requireHere = (moves: OrganizationMoves, organizationId: OrganizationId): Effect.Effect<void> =>
  Effect.flatMap(moves.movedTo(organizationId), (cell) =>
    cell === undefined ? Effect.void : Effect.die(new OrganizationMoved({ cell }))
  )
