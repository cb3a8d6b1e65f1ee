import { serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { addDelivery, EventDeliveries, type EventDelivery } from "./EventDeliveries.ts"
import { StandInLedger } from "./StandInLedger.ts"

it.live("an event whose outcome cannot be stored is delivered again", () =>
  Effect.gen(function* () {
    let received = 0
    const { url } = yield* serveListener((_request, response) => {
      received += 1
      response.writeHead(204).end()
    })
    const ledger = new StandInLedger<{ readonly delivery: EventDelivery }>({ delivery: new Map() }, undefined)
    ledger.transact(() => addDelivery(ledger, "event", "receiver", Date.now()))
    let failures = 1
    const channel = {
      givenUpMillis: 60_000,
      receiversOf: () => ["receiver"],
      messageTo: async () => ({ url, headers: {}, body: "{}" }),
      note: () => {
        if (failures-- > 0) throw new Error("There is no room")
      }
    }
    const deliveries = new EventDeliveries(ledger, channel, Date.now)
    deliveries.wake()
    yield* until(
      Effect.sync(() => deliveries.waiting()),
      ({ length }) => length === 0
    )
    assert.strictEqual(received, 2)
    deliveries.close()
  }).pipe(Effect.scoped)
)
