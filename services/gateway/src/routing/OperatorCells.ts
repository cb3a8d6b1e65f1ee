import { AuthApi } from "@care/domain/auth"
import { RequestInvalid } from "@care/domain/http"
import { unexpected } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { type Cell, CellOfId, Cells, listMillis, makeAskCells, peerOf, perCell } from "../cells/index.ts"
import { textMember } from "../receiving/index.ts"
import type { OperatorTarget } from "./operatorTargets.ts"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds the cell of an operator's request. */
export class OperatorCells extends Context.Service<
  OperatorCells,
  {
    /** Returns the cell of the id that a request names. A malformed id is refused by the first cell. */
    readonly ofId: (target: Extract<OperatorTarget, { readonly by: "id" }>) => Effect.Effect<Cell>
    /** Returns the cell for a body: of the organization that it names, or for a new organization. */
    readonly ofBody: (by: "newOrganization" | "organizationInBody", body: Buffer) => Effect.Effect<Cell, RequestInvalid>
  }
>()("@care/gateway/routing/OperatorCells") {
  static readonly layer = Layer.effect(
    OperatorCells,
    Effect.gen(function* () {
      const cells = yield* Cells
      const { askSome } = makeAskCells(listMillis)
      const cellOfId = yield* CellOfId
      const directoryOf = yield* perCell((cell) => peerOf(cell, AuthApi, "directory"))

      const ofId: OperatorCells["Service"]["ofId"] = ({ id, name }) =>
        uuid.test(id) ? cellOfId.find(name, id) : Effect.succeed(cells.first)

      // Of the cells that answer the one with the fewest organizations.
      const emptiest = Effect.gen(function* () {
        const { answers } = yield* askSome(cells.all, (cell) =>
          directoryOf(cell)
            .countOrganizations()
            .pipe(
              Effect.catchTags(unexpected),
              Effect.map(({ count }) => ({ cell, count }))
            )
        )
        const [fewest] = answers.toSorted((a, b) => a.count - b.count)
        return fewest?.cell ?? cells.first
      })

      return OperatorCells.of({
        ofId,
        ofBody: Effect.fn("OperatorCells.ofBody")(function* (by, body) {
          if (by === "newOrganization") {
            const name = yield* textMember(body, "cell")
            return yield* name === undefined ? emptiest : cells.named(name, "payload")
          }
          const id = yield* textMember(body, "organizationId")
          if (id !== undefined) return yield* ofId({ by: "id", name: "organizationId", id })
          return yield* RequestInvalid.inPayload("organizationId", "is required, because there are several cells")
        })
      })
    })
  )
}
