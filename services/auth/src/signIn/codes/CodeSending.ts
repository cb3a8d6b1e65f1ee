import { MessageId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Duration, Effect, Option, Schema } from "effect"
import { Delivery } from "../../messages/index.ts"
import { type IssuedCode, OneTimeCodes } from "./OneTimeCodes.ts"

const formatLifetime = (lifetime: Duration.Duration): string => {
  const seconds = Math.round(Duration.toSeconds(lifetime))
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.floor(seconds / 60), "minute"]
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const text = ({ code, lifetime, organizationName }: IssuedCode) =>
  `${code} is your verification code for ${organizationName}. It is valid for ${formatLifetime(lifetime)}. If you did not ask for it, you can ignore this message. Never share it with anybody.`

/**
 * Sends requested codes. The job looks for the person, so that the answer to the request takes the same time for everybody.
 */
export class CodeSending extends Job.make<CodeSending>()("code-sending", {
  version: 1,
  // `memberId` is of a member of staff. Without it the code is for a patient.
  schema: Schema.Struct({
    organizationId: OrganizationId,
    identifier: Schema.String,
    memberId: Schema.optionalKey(UserId),
    requestedAt: Schema.Date
  }),
  retries: Job.upTo(8),
  concurrency: 4
}) {
  static readonly layerWorker = CodeSending.worker(
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      const delivery = yield* Delivery

      return Effect.fnUntraced(function* (request, id) {
        const issued = yield* codes.issue(id, request)
        if (Option.isNone(issued)) return
        const isEmail = request.identifier.includes("@")
        yield* delivery.send({
          organizationId: request.organizationId,
          userId: issued.value.userId,
          id: MessageId.make(id),
          channel: isEmail ? "EMAIL" : "SMS",
          to: request.identifier,
          subject: isEmail ? `Your verification code for ${issued.value.organizationName}` : null,
          text: text(issued.value)
        })
      })
    })
  )
}
