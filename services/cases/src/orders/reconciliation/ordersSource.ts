import { PharmacyUpdate } from "@care/domain/cases"
import type { SweepSource, SweptPage } from "@care/service"
import { DateTime, Effect, Option, Schema } from "effect"
import { OrderChanges } from "../OrderChanges.ts"
import { Orders } from "../Orders.ts"
import { longestUnknown } from "../oldPharmacyEvents.ts"
import { type OrderChangesPage, Pharmacy } from "../pharmacy/Pharmacy.ts"

type Change = OrderChangesPage["changes"][number]
type Differences = SweptPage["differences"]

const decodeUpdate = Schema.decodeUnknownOption(Schema.toCodecJson(PharmacyUpdate))

const reported = (what: string, id: string): Differences => [{ action: "REPORTED", what, id, organizationId: null }]

/**
 * What happened to orders at the pharmacy since a cursor: what it did not tell, or was lost, is taken in as if it had been told. Without
 * a cursor its list may begin before the oldest event whose id is still kept: what is older is passed over.
 */
export const makeOrdersSource = Effect.gen(function* () {
  const changes = yield* OrderChanges
  const orders = yield* Orders
  const pharmacy = yield* Pharmacy

  const take = Effect.fnUntraced(function* ({ event, id }: Change): Effect.fn.Return<Differences> {
    const update = decodeUpdate(event)
    if (Option.isNone(update)) return reported("A change of an order at the pharmacy cannot be read", id)
    const { data, timestamp } = update.value
    const oldest = DateTime.subtractDuration(yield* DateTime.now, longestUnknown)
    if (timestamp < DateTime.toDateUtc(oldest)) return []
    const { externalId } = data
    return yield* Effect.gen(function* () {
      const isNew = yield* changes.byPharmacy(id, update.value)
      if (!isNew) return []
      const organizationId = yield* orders.ownerOf(externalId)
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
        OrderNotFound: () => Effect.succeed(reported("The pharmacy has an order that is not known here", externalId)),
        RequestInvalid: () => Effect.succeed(reported("A change of an order at the pharmacy is of the future", id))
      })
    )
  })

  const source: SweepSource = {
    name: "pharmacy-orders",
    page: Effect.fnUntraced(function* (cursor) {
      const page = yield* Effect.orDie(pharmacy.changes(cursor === "" ? undefined : cursor))
      if (Option.isNone(page)) return { cursor: cursor ?? "", isLast: true, compared: 0, differences: [] }
      const differences = yield* Effect.forEach(page.value.changes, take)
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
