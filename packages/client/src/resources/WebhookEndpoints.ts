import type { CallOptions } from "../CallOptions.ts"
import type { WebhookDelivery, WebhookEndpoint } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf, QueryOf } from "./operationTypes.ts"

/** Webhook endpoints and their deliveries. */
export class WebhookEndpoints {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Adds an endpoint. The answer shows its secret this once.
   *
   * @example
   * ```ts
   * const { data } = await care.webhookEndpoints.create({ url: receiverUrl, eventTypes: ["case.created"] })
   * console.log(data.id)
   * ```
   */
  create(body: BodyOf<"webhookEndpoints.create">, options?: CallOptions): Promise<AnswerOf<"webhookEndpoints.create">> {
    return this.#transport.send("webhookEndpoints.create", { body }, options)
  }

  /**
   * Lists the endpoints.
   *
   * @example
   * ```ts
   * for await (const endpoint of care.webhookEndpoints.list()) console.log(endpoint.url)
   * ```
   */
  list(
    query: QueryOf<"webhookEndpoints.list"> = {},
    options?: CallOptions
  ): Pages<WebhookEndpoint, AnswerOf<"webhookEndpoints.list">> {
    return new Pages((cursor) =>
      this.#transport.send("webhookEndpoints.list", { query: { ...query, cursor: cursor ?? query.cursor } }, options)
    )
  }

  /**
   * Returns an endpoint, without its secret.
   *
   * @example
   * ```ts
   * const { data } = await care.webhookEndpoints.retrieve(endpointId)
   * console.log(data.enabled)
   * ```
   */
  retrieve(endpointId: string, options?: CallOptions): Promise<AnswerOf<"webhookEndpoints.get">> {
    return this.#transport.send("webhookEndpoints.get", { params: { endpointId } }, options)
  }

  /**
   * Changes an endpoint. `eventTypes: null` selects all events.
   *
   * @example
   * ```ts
   * await care.webhookEndpoints.update(endpointId, { eventTypes: null, includeTestCases: true })
   * ```
   */
  update(
    endpointId: string,
    body: BodyOf<"webhookEndpoints.change">,
    options?: CallOptions
  ): Promise<AnswerOf<"webhookEndpoints.change">> {
    return this.#transport.send("webhookEndpoints.change", { params: { endpointId }, body }, options)
  }

  /**
   * Removes an endpoint.
   *
   * @example
   * ```ts
   * await care.webhookEndpoints.remove(oldEndpointId)
   * ```
   */
  remove(endpointId: string, options?: CallOptions): Promise<AnswerOf<"webhookEndpoints.remove">> {
    return this.#transport.send("webhookEndpoints.remove", { params: { endpointId } }, options)
  }

  /**
   * Makes a new secret. The old one is valid for a day more.
   *
   * @example
   * ```ts
   * const { data } = await care.webhookEndpoints.rotateSecret(endpointId)
   * console.log(data.id)
   * ```
   */
  rotateSecret(endpointId: string, options?: CallOptions): Promise<AnswerOf<"webhookEndpoints.rotateSecret">> {
    return this.#transport.send("webhookEndpoints.rotateSecret", { params: { endpointId } }, options)
  }

  /**
   * Sends a test event to an endpoint.
   *
   * @example
   * ```ts
   * const { data } = await care.webhookEndpoints.test(endpointId)
   * console.log(data.eventId)
   * ```
   */
  test(endpointId: string, options?: CallOptions): Promise<AnswerOf<"webhookEndpoints.test">> {
    return this.#transport.send("webhookEndpoints.test", { params: { endpointId } }, options)
  }

  /**
   * Lists the deliveries of an endpoint, with their attempts.
   *
   * @example
   * ```ts
   * for await (const delivery of care.webhookEndpoints.deliveries(endpointId, { limit: 50 })) {
   *   console.log(delivery.status)
   * }
   * ```
   */
  deliveries(
    endpointId: string,
    query: QueryOf<"webhookDeliveries.list"> = {},
    options?: CallOptions
  ): Pages<WebhookDelivery, AnswerOf<"webhookDeliveries.list">> {
    return new Pages((cursor) =>
      this.#transport.send(
        "webhookDeliveries.list",
        { params: { endpointId }, query: { ...query, cursor: cursor ?? query.cursor } },
        options
      )
    )
  }

  /**
   * Sends all events of a time again.
   *
   * @example
   * ```ts
   * await care.webhookEndpoints.replay(endpointId, { since: "2026-01-01T00:00:00Z" })
   * ```
   */
  replay(
    endpointId: string,
    body: BodyOf<"webhookDeliveries.replayRange">,
    options?: CallOptions
  ): Promise<AnswerOf<"webhookDeliveries.replayRange">> {
    return this.#transport.send("webhookDeliveries.replayRange", { params: { endpointId }, body }, options)
  }

  /**
   * Sends the events since a time that did not arrive.
   *
   * @example
   * ```ts
   * await care.webhookEndpoints.replayMissing(endpointId, { since: "2026-01-01T00:00:00Z" })
   * ```
   */
  replayMissing(
    endpointId: string,
    body: BodyOf<"webhookDeliveries.replayMissing">,
    options?: CallOptions
  ): Promise<AnswerOf<"webhookDeliveries.replayMissing">> {
    return this.#transport.send("webhookDeliveries.replayMissing", { params: { endpointId }, body }, options)
  }

  /**
   * Sends one delivery again.
   *
   * @example
   * ```ts
   * await care.webhookEndpoints.replayDelivery(deliveryId)
   * ```
   */
  replayDelivery(deliveryId: string, options?: CallOptions): Promise<AnswerOf<"webhookDeliveries.replay">> {
    return this.#transport.send("webhookDeliveries.replay", { params: { deliveryId } }, options)
  }
}
