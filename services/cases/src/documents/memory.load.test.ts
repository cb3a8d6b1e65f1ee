import { get, type IncomingMessage } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { casesProcess, residentMebibytes } from "../../test/casesProcess.ts"
import { caseWithFiles, detailPath, textFile } from "../../test/caseWithFiles.ts"
import { Cases, layerCases } from "../../test/runCases.ts"
import { maxInlineBytes } from "./FileContents.ts"
import { maxFileBytes } from "./receiveFile.ts"

const lastFileBytes = maxInlineBytes % maxFileBytes

layer(layerCases, { excludeTestServices: true, timeout: "60 seconds" })("memory", (it) => {
  it.effect(
    "four parallel responses of 64 MiB, beside sixteen that nobody reads, leave the process below 700 MB",
    () =>
      Effect.gen(function* () {
        const { headers, settings } = yield* Cases
        const files = Array.from({ length: Math.floor(maxInlineBytes / maxFileBytes) }, () => maxFileBytes)
        const caseId = yield* caseWithFiles([...files, lastFileBytes].map((size) => [textFile(size)]))
        const { child, url } = yield* casesProcess(settings)

        // A response of which nothing was read yet.
        const open = Effect.acquireRelease(
          Effect.flatMap(headers(), (requestHeaders) =>
            Effect.callback<IncomingMessage>((resume) => {
              get(`${url}${detailPath(caseId, "base64")}`, { headers: requestHeaders, agent: false }, (answer) =>
                resume(Effect.succeed(answer))
              )
            })
          ),
          (answer) => Effect.sync(() => answer.destroy())
        )
        const read = Effect.flatMap(open, (answer) =>
          Effect.callback<number>((resume) => {
            let bytes = 0
            answer.on("data", (chunk) => {
              bytes += chunk.length
            })
            answer.on("end", () => resume(Effect.succeed(bytes)))
          })
        )

        let peak = 0
        const watch = Effect.sync(() => {
          peak = Math.max(peak, residentMebibytes(child))
        })
        yield* watch.pipe(Effect.repeat(Schedule.spaced("50 millis")), Effect.forkScoped)
        yield* Effect.all(
          Array.from({ length: 16 }, () => open),
          { concurrency: "unbounded" }
        )
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, () => read),
          { concurrency: "unbounded" }
        )
        for (const bytes of answers) assert.isAbove(bytes, (maxInlineBytes * 4) / 3)
        assert.isAbove(peak, 100)
        assert.isBelow(peak, 700)
      }).pipe(Effect.scoped),
    240_000
  )
})
