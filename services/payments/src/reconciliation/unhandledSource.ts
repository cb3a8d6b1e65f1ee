import { Effect, Option } from "effect"
import { Stripe } from "../stripe/index.ts"
import { makeTakeShownEvent } from "./makeTakeShownEvent.ts"
import { makeSweptPaymentsRepo } from "./SweptPaymentsRepo.ts"
import { unfinishedSource } from "./unfinishedSource.ts"

/** The events that came and whose jobs are tried no more: what Stripe shows of them is taken in. */
export const makeUnhandledSource = Effect.gen(function* () {
  const repo = yield* makeSweptPaymentsRepo
  const take = yield* makeTakeShownEvent
  const { ask } = yield* Stripe

  const compare = Effect.fnUntraced(function* ({ eventId }: { readonly eventId: string }) {
    const shown = yield* ask(undefined, "events.retrieve", (client) => client.events.retrieve(eventId)).pipe(
      Effect.map(Option.some),
      Effect.catchIf(
        ({ code }) => code === "resource_missing",
        () => Effect.succeedNone
      ),
      Effect.orDie
    )
    if (Option.isSome(shown)) return yield* take(shown.value)
    const what = "An event was not handled, and Stripe does not show it any more"
    return [{ action: "REPORTED" as const, what, id: eventId, organizationId: null }]
  })

  return unfinishedSource("unhandled-events", repo.unhandled, compare)
})
