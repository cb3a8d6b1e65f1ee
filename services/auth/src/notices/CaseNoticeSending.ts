import { CaseNoticeKind } from "@care/domain/auth"
import { MessageId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { Delivery } from "../messages/Delivery.ts"
import { makeNoticesRepo } from "./NoticesRepo.ts"
import { noticeText } from "./noticeText.ts"

const Notice = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  kind: CaseNoticeKind,
  shortId: Schema.String
})

/** Sends a person by email what they are to know of a case, if they want email and are there still: a job for each. */
export class CaseNoticeSending extends Job.make<CaseNoticeSending>()("case-notice", {
  version: 1,
  schema: Notice,
  attempts: 20,
  concurrency: 2
}) {
  static readonly layerWorker = CaseNoticeSending.worker(
    Effect.gen(function* () {
      const delivery = yield* Delivery
      const repo = yield* makeNoticesRepo

      return Effect.fnUntraced(function* ({ kind, organizationId, shortId, userId }: typeof Notice.Type, id: string) {
        const receiver = yield* repo.findReceiver(organizationId, userId)
        if (Option.isNone(receiver)) return
        yield* delivery.send({
          organizationId,
          id: MessageId.make(id),
          channel: "EMAIL",
          to: receiver.value.email,
          ...noticeText[kind](receiver.value, shortId)
        })
      })
    })
  )
}
