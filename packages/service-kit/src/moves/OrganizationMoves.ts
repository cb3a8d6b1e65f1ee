import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { makeRecent } from "../sql/makeRecent.ts"
import { rowsOf } from "../sql/rows.ts"
import { movedToHeader, OrganizationMoved } from "./OrganizationMoved.ts"

/** The organizations that moved to or arrive from another cell (docs/decisions/0064-cells.md). */
export interface OrganizationMoves {
  /** Returns the cell that has an organization; undefined if it is this one. Waits while it leaves: some milliseconds, at most a second. */
  readonly movedTo: (organizationId: OrganizationId) => Effect.Effect<string | undefined>
  /** Returns whether an organization moves, or moved from here, so that nothing about its cell may be cached. */
  readonly isMoving: (organizationId: OrganizationId) => Effect.Effect<boolean>
  /** Returns the cells to which organizations moved from here. */
  readonly cellsOfMoved: Effect.Effect<ReadonlyArray<string>>
}

/** Without `layerOrganizationMoves` no organization ever moved. */
export const OrganizationMoves = Context.Reference<OrganizationMoves>("@care/service-kit/moves/OrganizationMoves", {
  defaultValue: () => ({
    movedTo: () => Effect.undefined,
    isMoving: () => Effect.succeed(false),
    cellsOfMoved: Effect.succeed([])
  })
})

const moves = rowsOf(Schema.Struct({ organizationId: Schema.String, cell: Schema.String, hasMoved: Schema.Boolean }))
const positions = rowsOf(Schema.Struct({ cell: Schema.String, isAbsent: Schema.Boolean, isLeaving: Schema.Boolean }))

// The services of a cell lose an organization one after the other, within milliseconds.
const leavingTries = { times: 20, schedule: Schedule.spaced("50 millis") }

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
        moves.all(
          sql`SELECT organization_id, cell, state IN ('MOVED', 'CLEARING', 'GONE') AS has_moved FROM organization_moves`
        ),
        (rows) => ({
          organizations: new Set<string>(rows.map(({ organizationId }) => organizationId)),
          cells: [...new Set(rows.flatMap(({ cell, hasMoved }) => (hasMoved ? [cell] : [])))]
        })
      )
    )
    const look = (organizationId: OrganizationId) =>
      positions
        .all(
          sql`
            SELECT cell, state IN ('MOVED', 'CLEARING', 'GONE', 'ARRIVING') AS is_absent, state = 'LEAVING' AS is_leaving
            FROM organization_moves WHERE organization_id = ${organizationId}
          `
        )
        .pipe(
          Effect.map(([move]) => move),
          Effect.repeat({ while: (move) => move?.isLeaving === true, ...leavingTries }),
          Effect.map((move) => (move?.isAbsent === true ? move.cell : undefined))
        )
    const isMoving = (organizationId: OrganizationId) =>
      Effect.map(moving, ({ organizations }) => organizations.has(organizationId))
    return {
      movedTo: (organizationId) =>
        Effect.flatMap(isMoving(organizationId), (isIt) => (isIt ? look(organizationId) : Effect.undefined)),
      isMoving,
      cellsOfMoved: Effect.map(moving, ({ cells }) => cells)
    }
  })
)

/** Dies with `OrganizationMoved` if an organization is in another cell. Every endpoint answers that with the cell. */
export const requireHere = (moves: OrganizationMoves, organizationId: OrganizationId): Effect.Effect<void> =>
  Effect.flatMap(moves.movedTo(organizationId), (cell) =>
    cell === undefined ? Effect.void : Effect.die(new OrganizationMoved({ cell }))
  )

/**
 * Lets the gateway repeat a callback, about something that is not known here, in the cells to which organizations moved: this cell removed
 * what it knew of them.
 */
export const repeatWhereMoved = (
  moves: OrganizationMoves
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(moves.cellsOfMoved, (cells) =>
    cells.length === 0
      ? Effect.void
      : HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, movedToHeader, cells.join(",")))
        )
  )
