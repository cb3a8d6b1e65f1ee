import { DocumentedErrors, failure, RequestInvalid } from "@care/domain/http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { serveRoutes } from "../testing/serveRoutes.ts"
import { layerDocumentedErrors } from "./layerDocumentedErrors.ts"

class Echoes extends HttpApiGroup.make("echoes")
  .add(
    HttpApiEndpoint.post("echo", "/echo", {
      payload: Schema.Struct({ text: Schema.String, list: Schema.optional(Schema.Unknown) }),
      success: Schema.Struct({ text: Schema.String, isPolluted: Schema.Boolean }),
      error: failure(RequestInvalid, 400, ({ text }) => text, "Bad body")
    })
  )
  .middleware(DocumentedErrors) {}

class EchoApi extends HttpApi.make("echo").add(Echoes) {}

const handlers = HttpApiBuilder.group(EchoApi, "echoes", (group) =>
  group.handle("echo", ({ payload }) => Effect.succeed({ text: payload.text, isPolluted: "polluted" in {} }))
)

const decodeFields = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

const routes = HttpApiBuilder.layer(EchoApi).pipe(
  Layer.provide(handlers),
  Layer.provide([layerDocumentedErrors, NodeHttpServer.layerHttpServices])
)

/** The URL of the echo. */
class Echo extends Context.Service<Echo, string>()("@care/service-kit/http/Echo") {}

layer(Layer.effect(Echo, serveRoutes(routes)), { excludeTestServices: true })("bodies", (it) => {
  const send = (contentType: string | undefined, body: string | Uint8Array<ArrayBuffer>) =>
    Effect.flatMap(Echo, (url) =>
      Effect.promise(async (): Promise<Readonly<Record<string, unknown>>> => {
        const answer = await fetch(`${url}/echo`, {
          method: "POST",
          // A Blob without a type is sent without a content type.
          body: new Blob([body]),
          ...(contentType !== undefined && { headers: { "content-type": contentType } })
        })
        assert.strictEqual(answer.headers.get("content-type"), "application/json")
        return { status: answer.status, ...decodeFields(await answer.json()) }
      })
    )
  const body = JSON.stringify({ text: "Größe" })
  const refused = (error: string) => ({ status: 400, success: false, error: `body, ${error}` })
  const echoed = { status: 200, text: "Größe", isPolluted: false }

  it.effect("JSON is read with any content type for JSON, with none, and with the defaults of clients", () =>
    Effect.gen(function* () {
      for (const type of [
        undefined,
        "",
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json;;",
        "application/problem+json",
        "application/vnd.api+json; version=1",
        "text/json",
        "text/plain;charset=UTF-8",
        "application/x-www-form-urlencoded"
      ]) {
        assert.deepStrictEqual(yield* send(type, body), echoed, type)
      }
    })
  )

  it.effect("any other content type is refused in the endpoint's form, and its body is never parsed", () =>
    Effect.gen(function* () {
      for (const type of [
        "application/json, text/plain",
        "garbage",
        "application",
        "application/xml",
        "application/+json",
        "text/html",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/json; charset=utf-16",
        "text/plain; charset=iso-8859-1",
        "application/json; charset=utf-8, application/json"
      ]) {
        assert.deepStrictEqual(yield* send(type, body), refused("must be application/json, in UTF-8"), type)
      }
      const form = '--x\r\ncontent-disposition: form-data; name="text"\r\n\r\nhello\r\n--x--\r\n'
      assert.deepStrictEqual(
        yield* send("multipart/form-data; boundary=x", form),
        refused("must be application/json, in UTF-8")
      )
      assert.deepStrictEqual(yield* send("application/x-www-form-urlencoded", "text=hello"), refused("must be JSON"))
    })
  )

  it.effect("a body is UTF-8, with or without a byte order mark, and nothing is replaced in it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* send("application/json", `\ufeff${body}`), echoed)
      for (const bytes of [Buffer.from(body, "latin1"), Buffer.from(`{"text":"\xff"}`, "latin1")]) {
        assert.deepStrictEqual(yield* send("application/json", bytes), refused("must be in UTF-8"))
      }
      assert.deepStrictEqual(yield* send("application/json", Buffer.from(body, "utf16le")), refused("must be in UTF-8"))
      assert.deepStrictEqual(
        yield* send("application/json", Buffer.from('{"text":""}', "utf16le")),
        refused("must be JSON")
      )
    })
  )

  it.effect("a body that is nested too deep or has too many values is refused, whatever its size", () =>
    Effect.gen(function* () {
      const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
      for (const [list, answer] of [
        [nested(31), echoed],
        [nested(32), refused("must be nested at most 32 deep")],
        [nested(200_000), refused("must be nested at most 32 deep")],
        [`[${"[],".repeat(200_000)}[]]`, refused("must have at most 120000 values")],
        [JSON.stringify("A".repeat(5_000_000)), echoed]
      ] as const) {
        assert.deepStrictEqual(yield* send("application/json", `{"text":"Größe","list":${list}}`), answer)
      }
    })
  )

  it.effect("the last of duplicate keys counts, and __proto__ is an ordinary key", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* send("application/json", '{"text":"first","text":"Größe"}'), echoed)
      assert.deepStrictEqual(
        yield* send(
          "application/json",
          '{"text":"Größe","__proto__":{"polluted":true},"constructor":{"prototype":{}}}'
        ),
        echoed
      )
      assert.deepStrictEqual(yield* send("application/json", '{"__proto__":{"text":"inherited"}}'), {
        status: 400,
        success: false,
        error: "text, Required"
      })
    })
  )

  it.effect("a body that is no JSON object, or empty, is refused in the same form", () =>
    Effect.gen(function* () {
      for (const text of ["{", '{"text":"a"}}', "[][]", "text", "\0"]) {
        assert.deepStrictEqual(yield* send("application/json", text), refused("must be JSON"), text)
      }
      for (const text of ["", "7", "[]", "null"]) {
        assert.deepStrictEqual(yield* send("application/json", text), refused("must be a JSON object"), text)
      }
    })
  )
})
