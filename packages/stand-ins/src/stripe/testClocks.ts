import { Schema } from "effect"
import { type Call, emit } from "./Call.ts"
import { expireHolds } from "./cancelPayment.ts"
import { newId } from "./ids.ts"
import { pageOf } from "./pageOf.ts"
import { integer, page, text } from "./params.ts"
import { invalid } from "./Refusal.ts"
import { route } from "./route.ts"
import { clockAt, type TestClock } from "./TestClock.ts"

const keptSeconds = 30 * 24 * 3600

const New = Schema.Struct({ frozen_time: integer, name: Schema.optionalKey(text) })

const create = (call: Call, { frozen_time, name }: typeof New.Type): TestClock => {
  const id = newId("clock")
  const clock = call.books.put("test_clock", id, {
    id,
    object: "test_helpers.test_clock",
    created: call.now,
    deletes_after: call.now + keptSeconds,
    frozen_time,
    livemode: false,
    name: name ?? null,
    status: "ready",
    status_details: {}
  })
  emit(call, "test_helpers.test_clock.created", clock)
  return clock
}

// The answer says that it advances; when it is asked for the next time, it is there.
const advance = (call: Call, { frozen_time }: { readonly frozen_time: number }, id: string): TestClock => {
  const before = clockAt(call, id)
  if (frozen_time <= before.frozen_time) {
    throw invalid("A test clock advances only.", { code: "test_clock_invalid_time", param: "frozen_time" })
  }
  const after = call.books.put("test_clock", id, { ...before, frozen_time })
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

/** Test clocks: the time of their customers, which stands still until it is advanced. */
export const testClockRoutes = [
  route("POST", "/v1/test_helpers/test_clocks", New, create),
  route("GET", "/v1/test_helpers/test_clocks", Schema.Struct(page), ({ books }, asked) =>
    pageOf("/v1/test_helpers/test_clocks", books.all("test_clock"), asked)
  ),
  route("GET", "/v1/test_helpers/test_clocks/:id", Schema.Struct({}), (call, _, id) => clockAt(call, id)),
  route("POST", "/v1/test_helpers/test_clocks/:id/advance", Schema.Struct({ frozen_time: integer }), advance)
]
