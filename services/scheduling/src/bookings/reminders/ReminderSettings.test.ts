import { assert, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import { ReminderSettings } from "./ReminderSettings.ts"

const beforeIn = (environment: Readonly<Record<string, string>>) =>
  ReminderSettings.pipe(
    Effect.map(({ before }) => Duration.toHours(before)),
    Effect.provide(ReminderSettings.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))
  )

it.effect("patients are reminded a day before their appointment, or the configured time", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* beforeIn({}), 24)
    assert.strictEqual(yield* beforeIn({ REMINDER_BEFORE: "90 minutes" }), 1.5)
    const refused = yield* Effect.flip(beforeIn({ REMINDER_BEFORE: "soon" }))
    assert.include(refused.message, "REMINDER_BEFORE")
  })
)
