import type { CallOptions } from "../CallOptions.ts"
import type { TestMessage } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, QueryOf } from "./operationTypes.ts"

/** The emails and SMS of your sandbox, which nobody gets. It needs a test key. */
export class TestMessages {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists messages, newest first.
   *
   * @example
   * ```ts
   * for await (const message of care.testMessages.list({ to: "rosa@example.com" })) console.log(message.text)
   * ```
   */
  list(
    query: QueryOf<"testMessages.list"> = {},
    options?: CallOptions
  ): Pages<TestMessage, AnswerOf<"testMessages.list">> {
    return new Pages((cursor) =>
      this.#transport.send("testMessages.list", { query: { ...query, cursor: cursor ?? query.cursor } }, options)
    )
  }
}
