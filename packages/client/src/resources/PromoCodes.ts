import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, QueryOf } from "./operationTypes.ts"

/** Promo codes. */
export class PromoCodes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the discounts of a promo code.
   *
   * @example
   * ```ts
   * const { data } = await care.promoCodes.check({ code: promoCode })
   * console.log(data.length)
   * ```
   */
  check(query: QueryOf<"promoCodes.check">, options?: CallOptions): Promise<AnswerOf<"promoCodes.check">> {
    return this.#transport.send("promoCodes.check", { query }, options)
  }
}
