import { durationSetting, readSettings } from "@care/service-kit"
import { Config, Context, Duration, Effect, Layer } from "effect"

/** When patients are reminded. */
export class ReminderSettings extends Context.Service<
  ReminderSettings,
  {
    /** How long before an appointment its patient is reminded of it. */
    readonly before: Duration.Duration
  }
>()("@care/scheduling/reminders/ReminderSettings") {
  static readonly layer = Layer.effect(
    ReminderSettings,
    Effect.map(
      readSettings(durationSetting("REMINDER_BEFORE").pipe(Config.withDefault(Duration.hours(24)))),
      (before) => ReminderSettings.of({ before })
    )
  )
}
