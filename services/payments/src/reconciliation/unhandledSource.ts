import { OnTestAccount } from "@care/service-kit"
import { Effect, Option } from "effect"
import { Stripe } from "../stripe/index.ts"
import { makeApplyListedEvent } from "./makeApplyListedEvent.ts"
import { makeSweptPaymentsRepo } from "./SweptPaymentsRepo.ts"
import { unfinishedSource } from "./unfinishedSource.ts"

/** Makes a source that applies received events whose jobs are not retried any more, as Stripe lists them. */
export const makeUnhandledSource = Effect.gen(function* () {
  const repo = yield* makeSweptPaymentsRepo
  const applyListed = yield* makeApplyListedEvent
  const { ask } = yield* Stripe

  const compare = Effect.fnUntraced(function* ({ eventId }: { readonly eventId: string }) {
    const listed = yield* ask(undefined, "events.retrieve", (client) => client.events.retrieve(eventId)).pipe(
      Effect.map(Option.some),
      Effect.catchIf(
        ({ code }) => code === "resource_missing",
        () => Effect.succeedNone
      ),
      Effect.orDie
    )
    if (Option.isSome(listed)) return yield* applyListed(listed.value)
    const what = "An event was not handled, and Stripe does not show it any more"
    return [{ action: "REPORTED" as const, what, id: eventId, organizationId: null }]
  })

  return unfinishedSource("unhandled-events", repo.findUnhandled, (event) =>
    Effect.provideService(compare(event), OnTestAccount, event.isTest)
  )
})
