import { Schema } from "effect"
import { type Call, emit, putWithEvent } from "./Call.ts"
import { expireHolds } from "./cancelPayment.ts"
import { newId } from "./ids.ts"
import { readRoutes } from "./listPage.ts"
import type { TestClock } from "./objects.ts"
import { integer, page, text } from "./params.ts"
import { invalid } from "./Refusal.ts"
import { route } from "./route.ts"

const keptSeconds = 30 * 24 * 3600

const New = Schema.Struct({ frozen_time: integer, name: Schema.optionalKey(text) })

const create = (call: Call, { frozen_time, name }: typeof New.Type): TestClock =>
  putWithEvent(call, "test_clock", "test_helpers.test_clock.created", {
    id: newId("clock"),
    object: "test_helpers.test_clock",
    created: call.now,
    deletes_after: call.now + keptSeconds,
    frozen_time,
    livemode: false,
    name: name ?? null,
    status: "ready",
    status_details: {}
  })

// As at Stripe, the answer says that the clock is advancing, and the next read that it is ready.
const advance = (call: Call, { frozen_time }: { readonly frozen_time: number }, id: string): TestClock => {
  const before = call.ledger.at("test_clock", id)
  if (frozen_time <= before.frozen_time) {
    throw invalid("A test clock advances only.", { code: "test_clock_invalid_time", param: "frozen_time" })
  }
  const after = call.ledger.put("test_clock", id, { ...before, frozen_time })
  const advancing: TestClock = {
    ...after,
    status: "advancing",
    status_details: { advancing: { target_frozen_time: frozen_time } }
  }
  emit(call, "test_helpers.test_clock.advancing", advancing, before)
  expireHolds(call)
  emit(call, "test_helpers.test_clock.ready", after, advancing)
  return advancing
}

const path = "/v1/test_helpers/test_clocks"

/** The routes of test clocks: the time of their customers stands still until a request advances it. */
export const testClockRoutes = [
  route("POST", path, New, create),
  ...readRoutes("test_clock", path, Schema.Struct(page)),
  route("POST", `${path}/:id/advance`, Schema.Struct({ frozen_time: integer }), advance)
]
