import type { IncomingMessage } from "node:http"
import { Transform, type TransformCallback } from "node:stream"
import { BodyTooLarge, BodyTooSlow, type IncomingBody } from "./BodyWatch.ts"

/**
 * A body that is streamed to a service. It fails when it is too large or too slow. The rest of a failed body is read
 * and dropped, so that the caller's connection stays usable.
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
    // The reader of the body handles errors. Before it has a listener, an error would end the process.
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
