import { PharmacyUpdate } from "@care/domain/cases"
import type { SweepSource, SweptPage } from "@care/service"
import { DateTime, Effect, Option, Schema } from "effect"
import { OrderChanges } from "../OrderChanges.ts"
import { Orders } from "../Orders.ts"
import { maxUnknownAge } from "../oldPharmacyEvents.ts"
import { type OrderChangesPage, Pharmacy } from "../pharmacy/Pharmacy.ts"
import { makeIsElsewhere } from "./makeIsElsewhere.ts"

type Change = OrderChangesPage["changes"][number]
type Differences = SweptPage["differences"]

const decodeUpdate = Schema.decodeUnknownOption(Schema.toCodecJson(PharmacyUpdate))

const report = (what: string, id: string): Differences => [{ action: "REPORTED", what, id, organizationId: null }]

/**
 * Makes the source that compares the pharmacy's changes of orders since a cursor. A change whose callback did not arrive is applied like a
 * callback. Without a cursor, the list may begin before the oldest event whose id is still stored: such changes are skipped, and so are those of
 * orders of other cells.
 */
export const makeOrdersSource = Effect.gen(function* () {
  const changes = yield* OrderChanges
  const orders = yield* Orders
  const pharmacy = yield* Pharmacy
  const isElsewhere = yield* makeIsElsewhere

  const applyChange = Effect.fnUntraced(function* ({ event, id }: Change): Effect.fn.Return<Differences> {
    const update = decodeUpdate(event)
    if (Option.isNone(update)) return report("A change of an order at the pharmacy cannot be read", id)
    const { data, timestamp } = update.value
    const oldest = DateTime.subtractDuration(yield* DateTime.now, maxUnknownAge)
    if (timestamp < DateTime.toDateUtc(oldest)) return []
    const { externalId } = data
    return yield* Effect.gen(function* () {
      const isNew = yield* changes.byPharmacy(id, update.value)
      if (!isNew) return []
      const organizationId = yield* orders.organizationOf(externalId)
      return [
        {
          action: "REPAIRED",
          what: "A change of an order at the pharmacy had not come",
          id: externalId,
          organizationId
        }
      ] satisfies Differences
    }).pipe(
      Effect.catchTags({
        OrderNotFound: () =>
          Effect.map(isElsewhere(externalId), (isIt) =>
            isIt ? [] : report("The pharmacy has an order that is not known here", externalId)
          ),
        RequestInvalid: () => Effect.succeed(report("A change of an order at the pharmacy is of the future", id))
      })
    )
  })

  const source: SweepSource = {
    name: "pharmacy-orders",
    page: Effect.fnUntraced(function* (cursor) {
      const page = yield* Effect.orDie(pharmacy.changes(cursor === "" ? undefined : cursor))
      if (Option.isNone(page)) return { cursor: cursor ?? "", isLast: true, compared: 0, differences: [] }
      const differences = yield* Effect.forEach(page.value.changes, applyChange)
      return {
        cursor: page.value.next,
        isLast: !page.value.hasMore,
        compared: page.value.changes.length,
        differences: differences.flat()
      }
    })
  }
  return source
})
