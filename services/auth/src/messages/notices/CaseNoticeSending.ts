import { MessageId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { makeBatcher, Time } from "@care/service-kit"
import { Effect, Semaphore } from "effect"
import { Delivery } from "../Delivery.ts"
import { Notice } from "./Notice.ts"
import { NoticeLimits } from "./NoticeLimits.ts"
import { makeNoticesRepo } from "./NoticesRepo.ts"
import { noticeText } from "./noticeText.ts"

// Leaves three of the five connections to the mail server to codes, because people wait for those.
const [concurrency, maxParallel] = [6, 2]

/** Sends a notice of a case by email, if its receiver still exists and wants email. */
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
      const sendSlots = yield* Semaphore.make(maxParallel)

      // Parallel jobs look their receivers up in one query.
      const findReceiver = (yield* makeBatcher)(repo.findReceivers, { concurrency: 1, maxBatchSize: concurrency })

      return Effect.fnUntraced(function* (notice: Notice, id: string) {
        if (notice.kind === "APPOINTMENT_REMINDER" && notice.startsAt <= (yield* Time.nowAsDate)) {
          return yield* new Job.GivenUp({ reason: "The patient could not be reminded before the appointment began" })
        }
        const receiver = yield* findReceiver(notice)
        if (receiver === undefined) return
        const { kind, organizationId, userId } = notice
        const message = { organizationId, userId, id: MessageId.make(id), to: receiver.email }
        if (!(yield* limits.admit({ ...message, kind }))) return
        yield* sendSlots.withPermit(delivery.send({ ...message, channel: "EMAIL", ...noticeText(receiver, notice) }))
      })
    })
  )
}
