import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { layer } from "effect/http-api/HttpApiScalar"

/** Returns Scalar's program, which the library has only within a page. */
export const scalarSource = (): Promise<string> =>
  Effect.runPromise(
    Effect.acquireUseRelease(
      Effect.sync(() => HttpRouter.toWebHandler(layer(HttpApi.make("none")), { disableLogger: true })),
      ({ handler }) =>
        Effect.promise(async () => {
          const page = await (await handler(new Request("http://localhost/docs"))).text()
          const program = /<script>([\s\S]*?)<\/script>\s*<script>/.exec(page)?.[1]
          if (program === undefined) throw new Error("The library's page has no program")
          return program
        }),
      ({ dispose }) => Effect.promise(dispose)
    )
  )
