import {
  CellsCursor,
  cursorRefusal,
  defaultLimit,
  errorCodeHeader,
  PageCursor,
  type PagePosition,
  RequestInvalid
} from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import { PeerUnavailable } from "@care/service-kit"
import { Context, Data, Effect, Layer, Schema } from "effect"
import { HttpClient, HttpServerResponse } from "effect/http"
import { type Cell, Cells, makeReadCells, newestFirst, oldestFirst } from "../cells/index.ts"

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
    nextCursor: Schema.NullOr(PageCursor)
  })
)
const decodePage = (text: string) => Effect.orDie(Schema.decodeUnknownEffect(Page)(text))
const encodePosition = Schema.encodeSync(PageCursor)
const encodeCursor = Schema.encodeSync(CellsCursor)

const decodeCursor = (text: string | undefined) =>
  Schema.decodeUnknownEffect(Schema.UndefinedOr(CellsCursor))(text).pipe(
    Effect.mapError(() => new RequestInvalid({ part: "query", path: "cursor", reason: cursorRefusal }))
  )

const positionOf = ({ createdAt, id, paymentId }: Readonly<Record<string, unknown>>): PagePosition => ({
  createdAt: new Date(String(createdAt)),
  id: String(id ?? paymentId)
})

/** A cell refused the request. */
class ListRefused extends Data.TaggedError("ListRefused")<{
  readonly status: number
  readonly code: string
  readonly text: string
}> {}

/** Lists of the admin API that are merged of all cells. */
export class CellLists extends Context.Service<
  CellLists,
  {
    /**
     * Reads a page of all cells, in their common order. It names the cells that do not answer. A refusal, such as that of an invalid
     * filter, is passed on.
     */
    readonly read: (request: ListRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, RequestInvalid>
  }
>()("@care/gateway/forwarding/CellLists") {
  static readonly layer = Layer.effect(
    CellLists,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const readCells = makeReadCells()
      const client = yield* HttpClient.HttpClient

      return CellLists.of({
        read: Effect.fn("CellLists.read")(
          function* ({ headersFor, isOldestFirst, service, target }) {
            const { pathname, searchParams } = new URL(target, "http://gateway")
            const cursor = yield* decodeCursor(searchParams.get("cursor") ?? undefined)
            const ask = Effect.fnUntraced(function* (cell: Cell, after: PagePosition | undefined) {
              const parameters = new URLSearchParams(searchParams)
              if (after !== undefined) parameters.set("cursor", encodePosition(after))
              else parameters.delete("cursor")
              const url = `${cell.services[service]}${pathname}?${parameters}`
              const { code, status, text } = yield* client.get(url, { headers: yield* headersFor(cell) }).pipe(
                Effect.flatMap((response) =>
                  Effect.map(response.text, (text) => ({
                    status: response.status,
                    code: response.headers[errorCodeHeader] ?? "",
                    text
                  }))
                ),
                Effect.filterOrFail(({ status }) => status < 500),
                Effect.catch(() => Effect.die(new PeerUnavailable({ peer: service })))
              )
              return status === 200 ? [yield* decodePage(text)] : yield* new ListRefused({ status, code, text })
            })
            const { nextCursor, ...page } = yield* readCells(
              all,
              {
                cursor,
                limit: Number(searchParams.get("limit") ?? defaultLimit),
                order: isOldestFirst ? oldestFirst : newestFirst,
                positionOf
              },
              ask
            )
            return HttpServerResponse.jsonUnsafe({
              ...page,
              nextCursor: nextCursor === null ? null : encodeCursor(nextCursor)
            })
          },
          Effect.catchTag("ListRefused", ({ code, status, text }) =>
            Effect.succeed(
              HttpServerResponse.text(text, {
                status,
                contentType: "application/problem+json",
                headers: { [errorCodeHeader]: code }
              })
            )
          )
        )
      })
    })
  )
}
