import type { CallOptions } from "../CallOptions.ts"
import type { ListedWebhookEvent } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf, QueryOf } from "./operationTypes.ts"

/** The events of webhooks. */
export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the events, from the oldest, also those that no endpoint wants.
   *
   * @example
   * ```ts
   * for await (const event of care.events.list({ caseId })) console.log(event.type)
   * ```
   */
  list(query: QueryOf<"events.list"> = {}, options?: CallOptions): Pages<ListedWebhookEvent, AnswerOf<"events.list">> {
    return new Pages((cursor) =>
      this.#transport.send("events.list", { query: { ...query, after: cursor ?? query.after } }, options)
    )
  }

  /**
   * Sends an event again, to one endpoint or to all.
   *
   * @example
   * ```ts
   * const { data } = await care.events.resend(sentEventId, { endpointId })
   * console.log(data.length)
   * ```
   */
  resend(
    eventId: string,
    body: BodyOf<"webhookDeliveries.resend"> = {},
    options?: CallOptions
  ): Promise<AnswerOf<"webhookDeliveries.resend">> {
    return this.#transport.send("webhookDeliveries.resend", { params: { eventId }, body }, options)
  }
}
