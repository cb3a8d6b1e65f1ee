import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { BodyMemoryFull, type BodyRefused, BodyTooLarge, BodyTooSlow, type IncomingBody } from "./BodyWatch.ts"
import type { ReceivedBytes } from "./ReceivedBytes.ts"

type Resume = (outcome: Effect.Effect<Buffer, BodyRefused>) => void

/** A body that is received whole. The rest of a refused body is read and dropped. */
export class WholeBody implements IncomingBody {
  readonly since: number
  readonly isAwaited = true
  private readonly request: IncomingMessage
  private readonly received: ReceivedBytes
  private readonly maxBytes: number
  private readonly resume: Resume

  constructor(
    request: IncomingMessage,
    received: ReceivedBytes,
    options: { readonly maxBytes: number; readonly since: number; readonly resume: Resume }
  ) {
    this.request = request
    this.received = received
    this.maxBytes = options.maxBytes
    this.since = options.since
    this.resume = options.resume
    request.on("data", this.onData).on("end", this.onEnd)
  }

  get length(): number {
    return this.received.length
  }

  giveUp(): void {
    this.refuse(new BodyTooSlow())
  }

  stop(): void {
    this.request.off("data", this.onData).off("end", this.onEnd)
  }

  private refuse(reason: BodyRefused): void {
    this.stop()
    this.received.release()
    this.request.resume()
    this.resume(Effect.fail(reason))
  }

  private readonly onData = (chunk: Buffer) => {
    if (this.received.length + chunk.length > this.maxBytes) this.refuse(new BodyTooLarge({ maxBytes: this.maxBytes }))
    else if (!this.received.add(chunk)) this.refuse(new BodyMemoryFull())
  }

  private readonly onEnd = () => {
    this.stop()
    this.resume(Effect.succeed(this.received.bytes))
  }
}
