import type { IncomingMessage } from "node:http"
import { Transform, type TransformCallback } from "node:stream"
import type { IncomingBody } from "./BodyWatch.ts"
import { BodyTooLarge, BodyTooSlow } from "./bodyErrors.ts"

/**
 * The body of a request as it is sent on piece by piece. It breaks off with the reason when it is too large or too slow.
 * Whatever becomes of it, the caller's own connection stays whole: what is left of the body is read and dropped.
 */
export class StreamedBody extends Transform implements IncomingBody {
  readonly since: number
  length = 0
  private readonly request: IncomingMessage
  private readonly maxBytes: number

  constructor(request: IncomingMessage, maxBytes: number, since: number) {
    super()
    this.request = request
    this.maxBytes = maxBytes
    this.since = since
    request.on("error", (error) => this.destroy(error))
    // Who reads the body hears of its errors; until somebody does, nobody would.
    this.on("error", () => {})
    this.on("close", () => request.resume())
    request.pipe(this)
  }

  get isAwaited(): boolean {
    return this.request.readableLength === 0
  }

  giveUp(): void {
    this.destroy(new BodyTooSlow())
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback) {
    this.length += chunk.length
    callback(this.length > this.maxBytes ? new BodyTooLarge({ maxBytes: this.maxBytes }) : null, chunk)
  }
}
