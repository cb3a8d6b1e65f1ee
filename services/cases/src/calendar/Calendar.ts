import { type CalendarEventOfCase, type CaseId, type OrganizationId, SchedulingApi } from "@care/domain"
import { peerHttpClient, readSettings, urlSetting } from "@care/service-kit"
import { Config, Context, Effect, Layer } from "effect"
import { HttpApiClient } from "effect/http-api"

/** What cases asks scheduling. */
export class Calendar extends Context.Service<
  Calendar,
  {
    /** The calendar events of a case that were not cancelled, in the order of their start. */
    readonly ofCase: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<ReadonlyArray<CalendarEventOfCase>>
  }
>()("@care/cases/calendar/Calendar") {
  static readonly layer = Layer.effect(
    Calendar,
    Effect.gen(function* () {
      const baseUrl = yield* readSettings(
        urlSetting("SCHEDULING_URL").pipe(Config.withDefault("http://127.0.0.1:8084"))
      )
      const scheduling = yield* HttpApiClient.group(SchedulingApi, {
        group: "calendarEvents",
        httpClient: yield* peerHttpClient("scheduling", baseUrl)
      })
      return Calendar.of({
        ofCase: (organizationId, caseId) => Effect.orDie(scheduling.ofCase({ params: { organizationId, caseId } }))
      })
    })
  )
}
