import type { CallOptions } from "../CallOptions.ts"
import type { PartnerProduct } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, QueryOf } from "./operationTypes.ts"

/** The products of your organization. */
export class Products {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the products of your organization.
   *
   * @example
   * ```ts
   * for await (const product of care.products.list()) console.log(product.id, product.name)
   * ```
   */
  list(query: QueryOf<"products.list"> = {}, options?: CallOptions): Pages<PartnerProduct, AnswerOf<"products.list">> {
    return new Pages((cursor) =>
      this.#transport.send("products.list", { query: { ...query, cursor: cursor ?? query.cursor } }, options)
    )
  }
}
