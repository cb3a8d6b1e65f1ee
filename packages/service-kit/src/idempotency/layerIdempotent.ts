import { IdempotencyConflict, Idempotent, type OrganizationId, Partner } from "@care/domain"
import { Data, Effect, Layer, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { answerError } from "../http/layerDocumentedErrors.ts"
import { layerScheduled } from "../jobs/layerScheduled.ts"
import { bodyHash } from "./bodyHash.ts"
import { type IdempotentAnswer, IdempotentAnswers, type IdempotentRequest } from "./IdempotentAnswers.ts"

/** An answer that is no success: it leaves the transaction as a failure, so that nothing of the request stays. */
class Unsuccessful extends Data.TaggedError("Unsuccessful")<{
  readonly response: HttpServerResponse.HttpServerResponse
}> {}

const longestKey = 255
const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

// A request without a key, with one that the endpoint refuses, or whose body is no JSON is left to the endpoint.
const idempotentRequest = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const key = request.headers["idempotency-key"]?.trim()
  if (key === undefined || key === "" || key.length > longestKey) return Option.none()
  const body = decodeJson(yield* Effect.orDie(request.text))
  return Option.map(body, (json): IdempotentRequest => {
    const [path = ""] = request.url.split("?", 1)
    return { organizationId, operation: `${request.method} ${path}`, key, bodyHash: bodyHash(json) }
  })
})

const answerOf = ({ body, status }: HttpServerResponse.HttpServerResponse): Option.Option<IdempotentAnswer> =>
  status >= 200 && status < 300 && body._tag === "Uint8Array"
    ? Option.some({ status, contentType: body.contentType, body: Buffer.from(body.body).toString() })
    : Option.none()

/**
 * Answers endpoints marked `Idempotent` once per `Idempotency-Key`: the change and what is kept of its answer commit in
 * one transaction, a request that is refused leaves the key free, and of two at once the second waits for the first.
 */
export const layerIdempotent = Layer.effect(
  Idempotent,
  Effect.gen(function* () {
    const answers = yield* IdempotentAnswers
    const sql = yield* SqlClient.SqlClient

    return Idempotent.of((httpEffect, { endpoint }) =>
      Effect.gen(function* () {
        const { organizationId } = yield* Partner
        const request = yield* idempotentRequest(organizationId)
        if (Option.isNone(request)) return yield* httpEffect

        const once = Effect.gen(function* () {
          const known = yield* answers.take(request.value)
          if (known._tag === "Answered") {
            const { body, contentType, status } = known.answer
            return HttpServerResponse.text(body, { status, contentType })
          }
          if (known._tag === "OtherBody") {
            return answerError(
              endpoint,
              new IdempotencyConflict({ reason: "The idempotency key was used with another body." })
            )
          }
          const response = yield* httpEffect
          const answer = answerOf(response)
          if (Option.isNone(answer)) return yield* new Unsuccessful({ response })
          yield* answers.keep(request.value, answer.value)
          return response
        })
        return yield* sql.withTransaction(once).pipe(
          Effect.catchTags({
            Unsuccessful: ({ response }) => Effect.succeed(response),
            SqlError: Effect.die
          })
        )
      })
    )
  })
).pipe(Layer.provideMerge(IdempotentAnswers.layer))

/** Removes old answers every hour. */
export const layerIdempotencyCleanup = Layer.unwrap(
  Effect.map(IdempotentAnswers, ({ removeOld }) =>
    layerScheduled({ name: "idempotency-cleanup", every: "1 hour", perform: removeOld })
  )
).pipe(Layer.provide(IdempotentAnswers.layer))
