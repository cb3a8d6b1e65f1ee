import type { IncomingMessage } from "node:http"
import { Transform, type TransformCallback } from "node:stream"
import { Data, Effect } from "effect"

/** The largest body that the gateway takes, in bytes. */
export const maxBodyBytes = 20 * 1024 * 1024

/** The body is larger than the gateway takes. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge") {}

class CountingBody extends Transform {
  private bytes = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback) {
    this.bytes += chunk.length
    callback(this.bytes > maxBodyBytes ? new BodyTooLarge() : null, chunk)
  }
}

const declaredLength = ({ headers }: IncomingMessage): number | undefined =>
  headers["content-length"] === undefined ? undefined : Number(headers["content-length"])

/** True when a request says that its body is larger than the gateway takes. */
export const declaresTooLarge = (request: IncomingMessage): boolean => (declaredLength(request) ?? 0) > maxBodyBytes

/**
 * The body of a request as it is sent on, a piece at a time: null when there is none. One of unknown length is counted
 * on the way, and breaks off with `BodyTooLarge`.
 */
export const bodyStream = (request: IncomingMessage): IncomingMessage | Transform | null => {
  const length = declaredLength(request)
  if (length !== undefined) return length === 0 ? null : request
  if (request.headers["transfer-encoding"] === undefined) return null
  const counting = new CountingBody()
  request.on("error", (error) => counting.destroy(error))
  // What is left of a body that broke off is read and dropped: the connection would be stuck with it otherwise.
  counting.on("error", () => request.resume())
  return request.pipe(counting)
}

/** The whole body of a request, for the paths where the gateway has to look into it. */
export const readBody = (request: IncomingMessage): Effect.Effect<Buffer, BodyTooLarge> => {
  const body = bodyStream(request)
  return body === null
    ? Effect.succeed(Buffer.alloc(0))
    : Effect.tryPromise({ try: () => body.toArray(), catch: () => new BodyTooLarge() }).pipe(
        Effect.map((chunks) => Buffer.concat(chunks))
      )
}
