import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, QueryOf } from "./operationTypes.ts"

/** The bundles of your organization. */
export class Bundles {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the bundles of your organization.
   *
   * @example
   * ```ts
   * const { data } = await care.bundles.list({ isVisible: true })
   * console.log(data.length)
   * ```
   */
  list(query: QueryOf<"bundles.list"> = {}, options?: CallOptions): Promise<AnswerOf<"bundles.list">> {
    return this.#transport.send("bundles.list", { query }, options)
  }

  /**
   * Returns a bundle, and its forms if asked for.
   *
   * @example
   * ```ts
   * const { data } = await care.bundles.retrieve(bundleId, { includeIntakeForm: true })
   * console.log(data.bundle.name)
   * ```
   */
  retrieve(
    bundleUUID: string,
    query: QueryOf<"bundles.get"> = {},
    options?: CallOptions
  ): Promise<AnswerOf<"bundles.get">> {
    return this.#transport.send("bundles.get", { params: { bundleUUID }, query }, options)
  }
}
