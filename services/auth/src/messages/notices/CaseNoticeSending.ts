import { MessageId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { makeBatcher } from "@care/service-kit"
import { DateTime, Effect, Semaphore } from "effect"
import { Delivery } from "../Delivery.ts"
import { Notice } from "./Notice.ts"
import { NoticeLimits } from "./NoticeLimits.ts"
import { makeNoticesRepo } from "./NoticesRepo.ts"
import { noticeText } from "./noticeText.ts"

// How many messages are taken together, and how many of them are sent at once: of the five connections to the mail
// server three are left to codes, which people wait for.
const [concurrency, atOnce] = [6, 2]

/** Sends a person by email what they are to know of a case, if they want email and are there still: a job for each. */
export class CaseNoticeSending extends Job.make<CaseNoticeSending>()("case-notice", {
  version: 1,
  schema: Notice,
  retries: Job.forMessages,
  concurrency
}) {
  static readonly layerWorker = CaseNoticeSending.worker(
    Effect.gen(function* () {
      const delivery = yield* Delivery
      const limits = yield* NoticeLimits
      const repo = yield* makeNoticesRepo
      const sending = yield* Semaphore.make(atOnce)

      // Messages that are begun beside each other ask together whom they go to.
      const findReceiver = (yield* makeBatcher)(repo.findReceivers, { atOnce: 1, most: concurrency })

      return Effect.fnUntraced(function* (notice: Notice, id: string) {
        if (notice.kind === "APPOINTMENT_REMINDER" && notice.startsAt <= (yield* DateTime.nowAsDate)) {
          return yield* new Job.GivenUp({ reason: "The patient could not be reminded before the appointment began" })
        }
        const receiver = yield* findReceiver(notice)
        if (receiver === undefined) return
        const { kind, organizationId, userId } = notice
        const message = { organizationId, userId, id: MessageId.make(id), to: receiver.email }
        if (!(yield* limits.admit({ ...message, kind }))) return
        yield* sending.withPermit(delivery.send({ ...message, channel: "EMAIL", ...noticeText(receiver, notice) }))
      })
    })
  )
}
