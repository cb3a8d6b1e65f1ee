import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf } from "./operationTypes.ts"

/** The clock of your sandbox. It needs a test key. */
export class TestClock {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Reads the clock.
   *
   * @example
   * ```ts
   * const { data } = await care.testClock.get()
   * console.log(data.now)
   * ```
   */
  get(options?: CallOptions): Promise<AnswerOf<"testClock.get">> {
    return this.#transport.send("testClock.get", {}, options)
  }

  /**
   * Moves the clock forward. What becomes due on the way is done.
   *
   * @example
   * ```ts
   * const { data } = await care.testClock.advance({ by: "P30D" })
   * console.log(data)
   * ```
   */
  advance(body: BodyOf<"testClock.advance">, options?: CallOptions): Promise<AnswerOf<"testClock.advance">> {
    return this.#transport.send("testClock.advance", { body }, options)
  }

  /**
   * Follows a long move of the clock.
   *
   * @example
   * ```ts
   * const { data } = await care.testClock.find(advanceId)
   * console.log(data.state, data.reached)
   * ```
   */
  find(advanceId: string, options?: CallOptions): Promise<AnswerOf<"testClock.find">> {
    return this.#transport.send("testClock.find", { params: { advanceId } }, options)
  }
}
