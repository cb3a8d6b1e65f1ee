import { EndpointNotice } from "@care/domain/auth"
import { MessageId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Schema, Struct } from "effect"
import { Organizations } from "../../organizations/index.ts"
import { Delivery } from "../Delivery.ts"
import { NoticeLimits } from "./NoticeLimits.ts"

const reasons = {
  GONE: "it answered 410 Gone",
  FAILING: "nothing that was sent to it in five days arrived"
} as const satisfies Record<EndpointNotice["reason"], string>

const Payload = Schema.Struct({ ...Struct.omit(EndpointNotice.fields, ["key"]), to: Schema.String })

/** Sends a notice that a webhook endpoint was disabled to one address of an organization: its id and host, not its URL. */
export class EndpointNoticeSending extends Job.make<EndpointNoticeSending>()("webhook-endpoint-notice", {
  version: 1,
  schema: Payload,
  retries: Job.forMessages,
  concurrency: 2
}) {
  static readonly layerWorker = EndpointNoticeSending.worker(
    Effect.gen(function* () {
      const delivery = yield* Delivery
      const limits = yield* NoticeLimits
      const organizations = yield* Organizations

      return Effect.fnUntraced(function* (
        { endpointId, host, organizationId, reason, to }: typeof Payload.Type,
        id: string
      ) {
        const { name } = yield* organizations.get(organizationId)
        const message = { organizationId, userId: null, id: MessageId.make(id), to }
        if (!(yield* limits.admit({ ...message, kind: "ENDPOINT_DISABLED" }))) return
        yield* delivery.send({
          ...message,
          channel: "EMAIL",
          subject: `A webhook endpoint of ${name} was disabled`,
          text: `The webhook endpoint ${endpointId} of ${name}, at ${host}, was disabled, because ${reasons[reason]}. Nothing is sent to it until you enable it again; then deliveries go on where they stopped.`
        })
      })
    })
  )
}
