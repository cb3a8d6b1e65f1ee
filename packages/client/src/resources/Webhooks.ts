import { type CareEvent, type VerifyOptions, verifyWebhook, type WebhookHeaders } from "../verifyWebhook.ts"

/** The events that your endpoint receives. */
export class Webhooks {
  /**
   * Verifies a webhook request, and returns its event. `body` is the raw body, `secret` that of the endpoint, or several of them. Rejects
   * with `WebhookRefused`. `verifyWebhook` does the same without an API key.
   *
   * @example
   * ```ts
   * const event = await care.webhooks.verify(body, headers, secret)
   * if (event.type === "case.created") console.log(event.data.caseId)
   * ```
   */
  verify(
    body: string | ArrayBuffer | Uint8Array,
    headers: WebhookHeaders,
    secret: string | ReadonlyArray<string>,
    options?: VerifyOptions
  ): Promise<CareEvent> {
    return verifyWebhook(body, headers, secret, options)
  }
}
