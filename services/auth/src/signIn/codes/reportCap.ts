import type { OrganizationId, UserId } from "@care/domain/ids"
import { Effect, Metric } from "effect"

const sentences = {
  codes_per_hour: "A patient got all one-time codes of an hour (OTP_MAX_PER_HOUR)",
  codes_per_day: "A patient got all one-time codes of a day (OTP_MAX_PER_DAY)",
  wrong_attempts_per_day: "A patient is locked: all wrong attempts of a day at one-time codes (OTP_MAX_WRONG_PER_DAY)"
}

type CodeCap = keyof typeof sentences

const reached = Metric.counter("one_time_code_caps_reached_total", {
  description: "How often a patient of an organization reached a cap on one-time codes, by cap",
  incremental: true
})

/** Logs and counts that a patient reached a cap. Call it once, when the cap is reached, and not for each refusal. */
export const reportCap = (cap: CodeCap, organizationId: OrganizationId, userId: UserId): Effect.Effect<void> =>
  Effect.logWarning(sentences[cap]).pipe(
    Effect.annotateLogs({ organizationId, userId }),
    Effect.andThen(Metric.update(Metric.withAttributes(reached, { cap }), 1))
  )
