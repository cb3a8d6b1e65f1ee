import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf } from "./operationTypes.ts"

/** The reset of your sandbox. It needs a test key. */
export class TestReset {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Makes the sandbox as new: removes all but keys, members, webhook endpoints and the catalogue.
   *
   * @example
   * ```ts
   * await care.testReset.reset()
   * ```
   */
  reset(options?: CallOptions): Promise<AnswerOf<"testReset.reset">> {
    return this.#transport.send("testReset.reset", {}, options)
  }
}
