import { durationSetting, readSettings, setting } from "@care/service-kit"
import { Context, Duration, Effect, Layer } from "effect"

export const reminderSetting = setting(
  durationSetting,
  "REMINDER_BEFORE",
  Duration.hours(24),
  "how long before an appointment the patient gets a reminder by email. There is none for an appointment that is booked after that time"
)

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
    Effect.map(readSettings(reminderSetting), (before) => ReminderSettings.of({ before }))
  )
}
