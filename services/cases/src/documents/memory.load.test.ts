import { get, type IncomingMessage } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { casesProcess, residentMebibytes } from "../../test/casesProcess.ts"
import { caseWithFiles, detailPath, textFile } from "../../test/caseWithFiles.ts"
import { Cases, layerCases } from "../../test/runCases.ts"
import { mostInlineBytes } from "./FileContents.ts"
import { largestFileBytes } from "./receiveFile.ts"

const rest = mostInlineBytes % largestFileBytes

layer(layerCases, { excludeTestServices: true, timeout: "60 seconds" })("memory", (it) => {
  it.effect(
    "four answers of 64 MiB at once, beside sixteen that nobody reads, leave the process below 700 MB",
    () =>
      Effect.gen(function* () {
        const { headers, settings } = yield* Cases
        const files = Array.from({ length: Math.floor(mostInlineBytes / largestFileBytes) }, () => largestFileBytes)
        const caseId = yield* caseWithFiles([...files, rest].map((size) => [textFile(size)]))
        const { child, url } = yield* casesProcess(settings)

        // An answer of which nothing was taken yet.
        const ask = Effect.acquireRelease(
          Effect.flatMap(headers(), (given) =>
            Effect.callback<IncomingMessage>((resume) => {
              get(`${url}${detailPath(caseId, "base64")}`, { headers: given, agent: false }, (answer) =>
                resume(Effect.succeed(answer))
              )
            })
          ),
          (answer) => Effect.sync(() => answer.destroy())
        )
        const read = Effect.flatMap(ask, (answer) =>
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
          Array.from({ length: 16 }, () => ask),
          { concurrency: "unbounded" }
        )
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, () => read),
          { concurrency: "unbounded" }
        )
        for (const bytes of answers) assert.isAbove(bytes, (mostInlineBytes * 4) / 3)
        assert.isAbove(peak, 100)
        assert.isBelow(peak, 700)
      }).pipe(Effect.scoped),
    240_000
  )
})
