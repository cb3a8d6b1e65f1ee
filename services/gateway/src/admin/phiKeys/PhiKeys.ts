import { peers, type ServiceName } from "@care/domain/peers"
import {
  ownPhiKeysApi,
  type PassPosition,
  type PhiKey,
  type RotationStep,
  type SentPosition
} from "@care/domain/phiKeys"
import type { Page } from "@care/service-kit"
import { Context, Effect, Layer, Record } from "effect"
import { type Cell, peerOf, perCell } from "../../cells/index.ts"

/** Where a service continues after a step; null when it is done. */
interface StepResult {
  readonly service: ServiceName
  readonly next: string | null
}

// Null when all services are done.
const nextOf = (results: ReadonlyArray<StepResult>): PassPosition | null => {
  const unfinished = results.flatMap(({ next, service }) => (next === null ? [] : [[service, next] as const]))
  return unfinished.length === 0 ? null : Object.fromEntries(unfinished)
}

/** The keys of `PHI_KEY` in all services of a cell. */
export class PhiKeys extends Context.Service<
  PhiKeys,
  {
    /**
     * Counts the rows that each key seals, in a page of each service that is not done. Without a cursor every service
     * begins.
     */
    readonly list: (
      cell: Cell,
      query: {
        readonly cursor?: PassPosition
        readonly limit: number
      }
    ) => Effect.Effect<Page<PhiKey, PassPosition>>
    /** Makes a step of the rotation in each service that is not done. Without a position every service begins. */
    readonly rotate: (cell: Cell, from: SentPosition | undefined) => Effect.Effect<RotationStep>
  }
>()("@care/gateway/phiKeys/PhiKeys") {
  static readonly layer = Layer.effect(
    PhiKeys,
    Effect.gen(function* () {
      const clientsOf = yield* perCell((cell) =>
        Effect.all(Record.map(peers, (_, service) => peerOf(cell, ownPhiKeysApi(service), "ownPhiKeys")))
      )

      // Calls the services that the position names. A position that names none is the beginning, and calls all.
      const callEach = <A extends Omit<StepResult, "service">, E>(
        position: SentPosition | undefined,
        call: (service: ServiceName, from: { readonly from?: string }) => Effect.Effect<A, E>
      ) => {
        const services = Record.keys(peers)
        const unfinished = services.filter((service) => position?.[service] !== undefined)
        return Effect.forEach(
          unfinished.length === 0 ? services : unfinished,
          (service) => {
            const from = position?.[service]
            return Effect.map(call(service, from === undefined ? {} : { from }), (result) => ({ ...result, service }))
          },
          { concurrency: "unbounded" }
        )
      }

      return PhiKeys.of({
        list: Effect.fn("PhiKeys.list")(function* (cell, { cursor, limit }) {
          const clients = clientsOf(cell)
          const pages = yield* callEach(cursor, (service, from) => clients[service].list({ query: { ...from, limit } }))
          const data = pages.flatMap(({ keys, service }) => keys.map((key): PhiKey => ({ service, ...key })))
          return { data, nextCursor: nextOf(pages) }
        }, Effect.orDie),

        rotate: Effect.fn("PhiKeys.rotate")(function* (cell, from) {
          const clients = clientsOf(cell)
          const steps = yield* callEach(from, (service, payload) => clients[service].rotate({ payload }))
          const sum = (count: "checked" | "rotated") => steps.reduce((total, step) => total + step[count], 0)
          return { checked: sum("checked"), rotated: sum("rotated"), next: nextOf(steps) }
        }, Effect.orDie)
      })
    })
  )
}
