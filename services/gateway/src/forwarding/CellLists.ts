import { defaultLimit } from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import { PeerUnavailable } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpClient, HttpServerResponse } from "effect/http"
import { type Cell, Cells, listMillis, makeAskCells, withCellsAway } from "../cells/index.ts"
import { cursorsOf, mergeCells } from "./mergeCells.ts"

/** A request for a list of all cells. */
interface ListRequest {
  readonly service: ServiceName
  /** The path with its query. */
  readonly target: string
  readonly isOldestFirst: boolean
  readonly headersFor: (cell: Cell) => Effect.Effect<Record<string, string>>
}

const Page = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
    nextCursor: Schema.NullOr(Schema.String)
  })
)
const decodePage = (text: string) => Effect.orDie(Schema.decodeUnknownEffect(Page)(text))

/** Lists of the admin API that are merged of all cells. */
export class CellLists extends Context.Service<
  CellLists,
  {
    /**
     * Reads a page of all cells, in their common order. It names the cells that do not answer. A refusal, such as that of an invalid
     * filter, is passed on.
     */
    readonly read: (request: ListRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  }
>()("@care/gateway/forwarding/CellLists") {
  static readonly layer = Layer.effect(
    CellLists,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const { askSome } = makeAskCells(listMillis)
      const client = yield* HttpClient.HttpClient

      return CellLists.of({
        read: Effect.fn("CellLists.read")(function* ({ headersFor, isOldestFirst, service, target }) {
          const { pathname, searchParams } = new URL(target, "http://gateway")
          const cursors = cursorsOf(
            searchParams.get("cursor") ?? undefined,
            all.map(({ name }) => name)
          )
          const ask = Effect.fnUntraced(function* (cell: Cell) {
            const parameters = new URLSearchParams(searchParams)
            const requested = cursors[cell.name]
            parameters.delete("cursor")
            if (requested !== undefined) parameters.set("cursor", requested)
            const url = `${cell.services[service]}${pathname}?${parameters}`
            const answer = yield* client.get(url, { headers: yield* headersFor(cell) }).pipe(
              Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
              Effect.filterOrFail(({ status }) => status < 500),
              Effect.catch(() => Effect.die(new PeerUnavailable({ peer: service })))
            )
            return { cell: cell.name, requested, answer }
          })
          const { answers, cellsAway } = yield* askSome(all, ask)
          const refusal = answers.find(({ answer }) => answer.status !== 200)?.answer
          if (refusal !== undefined) {
            return HttpServerResponse.text(refusal.text, {
              status: refusal.status,
              contentType: "application/problem+json"
            })
          }
          const pages = yield* Effect.forEach(answers, ({ answer, cell, requested }) =>
            Effect.map(decodePage(answer.text), (page) => ({ cell, requested, ...page }))
          )
          const away = cellsAway.map((cell) => ({ cell, requested: cursors[cell] }))
          const limit = Number(searchParams.get("limit") ?? defaultLimit)
          return HttpServerResponse.jsonUnsafe(
            withCellsAway(mergeCells(pages, away, { isOldestFirst, limit }), cellsAway)
          )
        })
      })
    })
  )
}
